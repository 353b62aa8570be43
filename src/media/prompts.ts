import type { Pose, Species, TaskLocale } from './poses.js'
import type { AnimationInput, AvatarInput } from './tasks.js'

/** The texts of a prompt in the languages `L`, with placeholders in braces. */
export interface PromptTexts<L extends TaskLocale> {
  /** Has `{species}` and `{pose}`; `{breed}` and `{name}` stand for the sentences below. */
  readonly prompt: Readonly<Record<L, string>>
  readonly species: Readonly<Record<Species, Readonly<Record<L, string>>>>
  readonly poses: Readonly<Record<Pose, Readonly<Record<L, string>>>>
  /** Sentences that hold the owner's own words; left out where there are none. */
  readonly breed?: Readonly<Record<L, string>>
  readonly name?: Readonly<Record<L, string>>
}

export interface Prompts {
  readonly avatar: PromptTexts<TaskLocale>
  readonly animation: PromptTexts<'en-US'>
}

/** What a model is asked for one pose of an avatar. */
export function renderAvatarPrompt({ avatar }: Prompts, input: AvatarInput, pose: Pose): string {
  const { locale, species, breed, petName } = input
  return fill(avatar.prompt[locale], {
    species: avatar.species[species][locale],
    pose: avatar.poses[pose][locale],
    breed: quote(avatar.breed?.[locale], 'breed', breed),
    name: quote(avatar.name?.[locale], 'name', petName),
  })
}

/** What a model is asked for the clip of one pose. */
export function renderAnimationPrompt({ animation }: Prompts, { species }: AnimationInput, pose: Pose): string {
  return fill(animation.prompt['en-US'], {
    species: animation.species[species]['en-US'],
    pose: animation.poses[pose]['en-US'],
  })
}

const charactersQuoted = 60

/** A sentence with the owner's own words in its quotation marks, or nothing without words. */
export function quote(sentence: string | undefined, placeholder: string, words: string | undefined): string {
  const safe = toQuotable(words ?? '')
  return sentence === undefined || safe === '' ? '' : fill(sentence, { [placeholder]: safe })
}

/**
 * Words that cannot end their quotation, begin a line or hold a placeholder: letters, digits and what names are written
 * with, on one line, 60 characters at most.
 */
export function toQuotable(words: string): string {
  const plain = words
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{M}\p{N} '’.,()&/-]/gu, ' ')
    .replaceAll(/ +/g, ' ')
    .trim()
  return [...plain].slice(0, charactersQuoted).join('').trim()
}

/** One pass: what is filled in is not looked at again. */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '').replaceAll(/ +(?=\n|$)/g, '')
}
