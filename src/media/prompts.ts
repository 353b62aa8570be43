import type { DiaryVersion } from './diary-versions.js'
import type { Pose, Species, TaskLocale } from './poses.js'
import type { Scene } from './scenes.js'
import type { AnimationInput, AvatarInput } from './task-inputs.js'

/** The texts of a prompt in the languages `L`, with placeholders in braces. */
export interface PromptTexts<L extends TaskLocale> {
  /** Has `{species}` and `{pose}`; `{breed}` and `{name}` are replaced by the sentences below. */
  readonly prompt: Readonly<Record<L, string>>
  readonly species: Readonly<Record<Species, Readonly<Record<L, string>>>>
  readonly poses: Readonly<Record<Pose, Readonly<Record<L, string>>>>
  /** Sentences that contain the owner's own words; absent if there are no such words. */
  readonly breed?: Readonly<Record<L, string>>
  readonly name?: Readonly<Record<L, string>>
  /** Explains the second picture, which is another one of the task. */
  readonly companion?: Readonly<Record<L, string>>
}

export interface Prompts {
  readonly avatar: PromptTexts<TaskLocale>
  readonly animation: PromptTexts<'en-US'>
}

/** Renders the prompt for one pose of an avatar; with `hasCompanion`, for the photo and another picture of the task. */
export function renderAvatarPrompt(
  { avatar }: Prompts,
  input: AvatarInput,
  pose: Pose,
  { hasCompanion = false } = {},
): string {
  const { locale, species, breed, petName } = input
  const companion = hasCompanion && avatar.companion ? `\n${avatar.companion[locale]}` : ''
  return fill(`${avatar.prompt[locale]}${companion}`, {
    species: avatar.species[species][locale],
    pose: avatar.poses[pose][locale],
    breed: quote(avatar.breed?.[locale], 'breed', breed),
    name: quote(avatar.name?.[locale], 'name', petName),
  })
}

/** Renders the prompt for the clip of one pose. */
export function renderAnimationPrompt({ animation }: Prompts, { species }: AnimationInput, pose: Pose): string {
  return fill(animation.prompt['en-US'], {
    species: animation.species[species]['en-US'],
    pose: animation.poses[pose]['en-US'],
  })
}

const charactersQuoted = 60

/** Returns a sentence with the owner's own words in quotation marks, or an empty string without words. */
export function quote(sentence: string | undefined, placeholder: string, words: string | undefined): string {
  const safe = toQuotable(words ?? '')
  return sentence === undefined || safe === '' ? '' : fill(sentence, { [placeholder]: safe })
}

/**
 * Removes everything that could end the quotation, begin a line or hold a placeholder: keeps letters, digits and the
 * punctuation of names, on one line, 60 characters at most.
 */
export function toQuotable(words: string): string {
  const plain = words
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{M}\p{N} '’.,()&/-]/gu, ' ')
    .replaceAll(/ +/g, ' ')
    .trim()
  return [...plain].slice(0, charactersQuoted).join('').trim()
}

/** Fills placeholders in one pass: inserted values are not expanded again. */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '').replaceAll(/ +(?=\n|$)/g, '')
}

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
