import { parseDate } from './calendar.js'
import { endOnce, splitDuration } from './format.js'
import type { HomeCardType } from './home/card-types.js'
import { type ChosenCard, cardRules, welcome, welcomePriority } from './home/cards.js'
import type { HomeFacts } from './home/facts.js'
import { type Say, sayIn } from './say.js'
import type { Copy, Locale } from './types.js'

/** The texts of `catalog/home.json`, ready to be called. Made by `loadHomeCopy`. */
export interface HomeCopy {
  /** Label of the texts: other texts have another one. */
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
  /** 1 to 100; the higher comes first. */
  readonly priority: number
  /** All that the card was made from, as one text: cards that share it are the same card. */
  readonly identity: string
}

/** @NOTE contract: how many cards there are is not shown. */
export const homeCardsAtMost = 5

/**
 * The cards of a pet's home page, 1 to 5, the most important first. Facts that are missing, or say nothing that is known,
 * get no card; where none gets one, there is a welcome. Durations are minutes, rounded half up.
 * Pure: the same input gives the same cards, and a fact that changes only the cards that say it.
 * Throws nothing: the input must have been checked against its schema.
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
  const ownName = cleanName(petName)
  const kind = { species: species ?? 'other' }
  const all = { ...values, ...kind, name: ownName || say('UNNAMED_PET', kind) }
  const render = (part: 'TITLE' | 'BODY') => {
    const written = endOnce(say(`${text}_${part}`, all), all.name)
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

/** What no text should hold, would break a line or turn the direction of the text around the name; joiners inside emoji stay. */
const breaking = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/gu

function cleanName(name = ''): string {
  return name.replaceAll(breaking, ' ').replaceAll(/\s+/g, ' ').trim()
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
