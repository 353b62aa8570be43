import { parseDate } from '../insight/calendar.js'
import { cleanName, joinName, splitDuration } from '../insight/format.js'
import { type Say, sayIn } from '../insight/say.js'
import type { Copy, Locale } from '../insight/types.js'
import type { HomeCardType } from './card-types.js'
import { type ChosenCard, cardRules, welcome, welcomePriority } from './cards.js'
import type { HomeFacts } from './facts.js'

/** The compiled texts of `catalog/home.json`, as `loadHomeCopy` returns them. */
export interface HomeCopy {
  /** Label of the texts: different texts have a different label. */
  readonly version: string
  readonly messages: Copy['messages']
}

/** A pet and its day; `date` is the local date of the owner as `YYYY-MM-DD`. */
export interface HomeInput {
  readonly userId: string
  readonly petId: string
  readonly petName?: string | undefined
  readonly species?: 'dog' | 'cat' | undefined
  readonly locale: Locale
  readonly date: string
  readonly facts: HomeFacts
}

export interface HomeCard {
  readonly type: HomeCardType
  readonly title: string
  readonly body: string
  /** From 1 to 100; higher priorities come first. */
  readonly priority: number
  /** Everything that the card depends on, as one string: equal identities mean the same card. */
  readonly identity: string
}

/** @NOTE contract: the maximum number of cards is not shown. */
export const homeCardsAtMost = 5

/**
 * Generates the cards of a pet's home page: 1 to 5, highest priority first. Missing facts, and values without meaning,
 * get no card; without any card there is a welcome. Durations are minutes, rounded half up.
 * Pure: the same input gives the same cards, and a fact changes only the cards that mention it.
 * Throws nothing: the caller validates the input against its schema.
 * Source: gateway contract, 4.15.
 */
export function generateHomeCards(input: HomeInput, copy: HomeCopy): HomeCard[] {
  const say = sayIn(copy, input.locale)
  const day = {
    facts: input.facts,
    today: parseDate(input.date) ?? 0,
    species: input.species,
    say: (minutes: number) => say('DURATION', splitDuration(minutes)),
  }
  const chosen = cardRules.flatMap(({ priority, choose }) => {
    const card = choose(day)
    return card === undefined ? [] : [{ ...card, priority }]
  })
  const cards = chosen.length === 0 ? [{ ...welcome, priority: welcomePriority }] : chosen.slice(0, homeCardsAtMost)
  return cards.map((card) => renderCard(card, input, copy.version, say))
}

function renderCard(
  { type, text, values, priority }: ChosenCard & { readonly priority: number },
  { userId, petId, petName, species, locale, date }: HomeInput,
  version: string,
  say: Say,
): HomeCard {
  const ownName = cleanName(petName ?? '')
  const kind = { species: species ?? 'other' }
  const all = { ...values, ...kind, name: ownName || say('UNNAMED_PET', kind) }
  const render = (part: 'TITLE' | 'BODY') => {
    const written = joinName(say(`${text}_${part}`, all), all.name)
    return ownName === '' ? capitalize(written) : written
  }
  return {
    type,
    title: render('TITLE'),
    body: render('BODY'),
    priority,
    identity: JSON.stringify([version, userId, petId, locale, date, type, text, Object.entries(all).sort()]),
  }
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
