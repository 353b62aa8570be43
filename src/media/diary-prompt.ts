import type { DiaryVersion } from './diary-versions.js'
import type { Pose, Species } from './poses.js'
import { fill, quote } from './prompts.js'
import type { Scene } from './scenes.js'

type PromptText = Readonly<Record<'en-US', string>>

/** A version of the diary prompts. Scenes have their own prompt texts, so every scene has a prompt in every version. */
export interface DiaryPromptTexts {
  /** The changes since the previous version, and why. */
  readonly note: string
  /** Has `{species}`, `{scene}` and `{pose}`; `{breed}` is replaced by the sentence below. */
  readonly prompt: PromptText
  readonly species: Readonly<Record<Species, PromptText>>
  readonly poses: Readonly<Record<Pose, PromptText>>
  /** Contains the owner's own words; absent if there are no such words. */
  readonly breed: PromptText
  /** Follows the scene if the weather of the day replaces that of the scene. Has `{weather}`. */
  readonly weather: PromptText
}

export type DiaryPrompts = Readonly<Record<DiaryVersion, DiaryPromptTexts>>

/** The subject of a diary picture. It has no pet name: models write names into pictures. */
export interface DiaryPicture {
  readonly version: DiaryVersion
  readonly species: Species
  readonly scene: Pick<Scene, 'prompt' | 'recommended_pose'>
  /** In the owner's words. */
  readonly breed?: string | undefined
  /** As in `DiaryInput`. */
  readonly weather?: string | undefined
}

/** Renders the prompt of a diary picture. The pose is the scene's. Source: gateway contract, 2.8 and 9.3. */
export function renderDiaryPrompt(
  prompts: DiaryPrompts,
  { version, species, scene, breed, weather }: DiaryPicture,
): string {
  const texts = prompts[version]
  return fill(texts.prompt['en-US'], {
    species: texts.species[species]['en-US'],
    scene: weather === undefined ? scene.prompt : `${scene.prompt} ${fill(texts.weather['en-US'], { weather })}`,
    pose: texts.poses[scene.recommended_pose]['en-US'],
    breed: quote(texts.breed['en-US'], 'breed', breed),
  })
}
