import { SvcError } from '../errors.js'
import { defaultDiaryVersion } from '../media/diary-versions.js'
import { poses } from '../media/poses.js'
import type { DiaryPrompts } from '../media/prompts.js'
import type { Scene } from '../media/scenes.js'
import { findNearest } from '../text/spelling.js'

export type DiaryCatalog = ReturnType<typeof createDiaryCatalog>

/** The catalog of diary pictures, loaded on first use and cached. */
export function createDiaryCatalog() {
  let scenes: readonly Scene[] | undefined
  let prompts: DiaryPrompts | undefined
  const load = () => import('../catalog/diary.js')
  return {
    /** Loads the scenes of the default library. */
    async loadScenes(): Promise<readonly Scene[]> {
      scenes ??= (await load()).readSceneLibrary(defaultDiaryVersion).scenes
      return scenes
    },
    async loadPrompts(): Promise<DiaryPrompts> {
      prompts ??= (await load()).readDiaryPrompts()
      return prompts
    },
  }
}

/** Throws `invalid_request` for a name in `SVC_STUB_FAIL` that is neither a pose nor a scene, which would fail nothing. */
export async function checkStubFailures(names: readonly string[]): Promise<void> {
  if (names.length === 0) return
  const scenes = await createDiaryCatalog().loadScenes()
  const known = ['all', ...poses, ...scenes.map(({ scene_id: id }) => id)]
  const name = names.find((each) => !known.includes(each))
  if (name === undefined) return
  const nearest = findNearest(name, known)
  const advice = nearest ? `Did you mean ${nearest}?` : 'svc diary scenes lists the scenes.'
  throw new SvcError('invalid_request', `SVC_STUB_FAIL names ${name}, which is neither a pose nor a scene. ${advice}`)
}
