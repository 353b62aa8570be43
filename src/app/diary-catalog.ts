import type { DiaryPrompts } from '../media/diary-prompt.js'
import { defaultDiaryVersion } from '../media/diary-versions.js'
import type { Scene } from '../media/scenes.js'

/** The catalog of diary pictures, loaded on first use and cached. */
export interface DiaryCatalog {
  /** The scenes of the default library. */
  loadScenes(): Promise<readonly Scene[]>
  loadPrompts(): Promise<DiaryPrompts>
}

export function createDiaryCatalog(): DiaryCatalog {
  let scenes: readonly Scene[] | undefined
  let prompts: DiaryPrompts | undefined
  const load = () => import('../catalog/diary.js')
  return {
    async loadScenes() {
      scenes ??= (await load()).readSceneLibrary(defaultDiaryVersion).scenes
      return scenes
    },
    async loadPrompts() {
      prompts ??= (await load()).readDiaryPrompts()
      return prompts
    },
  }
}
