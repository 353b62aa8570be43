import type { DiaryVersion } from '../../media/diary-versions.js'
import { presentLibrary, type SceneLibrary } from '../../media/scenes.js'
import type { Handlers } from '../pipeline/handler.js'

/** Reads each library on its first request. */
export function createAppMetadataHandlers(readLibrary: (version: DiaryVersion) => Promise<SceneLibrary>) {
  const answers = new Map<DiaryVersion, { body: ReturnType<typeof presentLibrary>; json: string }>()
  return {
    async listDiaryScenes({ query: { version } }) {
      const known = answers.get(version)
      if (known !== undefined) return known
      const body = presentLibrary(await readLibrary(version))
      const answer = { body, json: JSON.stringify(body) }
      answers.set(version, answer)
      return answer
    },
  } satisfies Partial<Handlers>
}
