import type { DiaryVersion } from './diary-versions.js'
import type { Pose, Species } from './poses.js'
import { fill, quote } from './prompts.js'
import type { Scene } from './scenes.js'

type Text = Readonly<Record<'en-US', string>>

/** A version of the diary prompts. Scenes bring their own words, so that every scene has a prompt in every version. */
export interface DiaryPromptTexts {
  /** What is different from the version before, and why. */
  readonly note: string
  /** Has `{species}`, `{scene}` and `{pose}`; `{breed}` stands for the sentence below. */
  readonly prompt: Text
  readonly species: Readonly<Record<Species, Text>>
  readonly poses: Readonly<Record<Pose, Text>>
  /** Holds the owner's own words; left out where there are none. */
  readonly breed: Text
}

export type DiaryPrompts = Readonly<Record<DiaryVersion, DiaryPromptTexts>>

/** What a diary picture is of. The name of a pet is not: models write names into pictures. */
export interface DiaryPicture {
  readonly version: DiaryVersion
  readonly species: Species
  readonly scene: Pick<Scene, 'prompt' | 'recommended_pose'>
  /** In the owner's words. */
  readonly breed?: string | undefined
}

/** What a model is asked for a diary picture. The pose is the scene's. Source: gateway contract, 2.8 and 9.3. */
export function renderDiaryPrompt(prompts: DiaryPrompts, { version, species, scene, breed }: DiaryPicture): string {
  const texts = prompts[version]
  return fill(texts.prompt['en-US'], {
    species: texts.species[species]['en-US'],
    scene: scene.prompt,
    pose: texts.poses[scene.recommended_pose]['en-US'],
    breed: quote(texts.breed['en-US'], 'breed', breed),
  })
}
