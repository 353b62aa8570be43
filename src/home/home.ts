import { dateParts, daysInMonth, parseDate } from '../insight/calendar.js'
import { cleanName, joinName, roundHalfUp, splitDuration } from '../insight/format.js'
import { type Say, sayIn } from '../insight/say.js'
import type { Copy, Locale } from '../insight/types.js'
import type { HomeCardType } from './card-types.js'
import type { HomeFacts } from './facts.js'
import { findWeather } from './weather.js'

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

type CardValues = Readonly<Record<string, string | number>>

/** The input of the card rules; `today` is a day number. */
interface HomeDay {
  readonly facts: HomeFacts
  readonly today: number
  readonly species: 'dog' | 'cat' | undefined
  /** Writes whole minutes in words. */
  readonly say: (minutes: number) => string
}

/** A text of `catalog/home.json`, without `_TITLE` and `_BODY`, and the values of its arguments. */
interface ChosenCard {
  readonly type: HomeCardType
  readonly text: string
  readonly values: CardValues
}

interface CardRule {
  /** From 1 to 100; higher priorities come first. */
  readonly priority: number
  readonly choose: (day: HomeDay) => ChosenCard | undefined
}

/** Every card rule, highest priority first. */
const cardRules: readonly CardRule[] = [
  { priority: 100, choose: chooseBirthday },
  { priority: 90, choose: chooseAdoptionDay },
  { priority: 80, choose: chooseWeather },
  { priority: 70, choose: chooseDiary },
  { priority: 60, choose: chooseActivity },
  { priority: 50, choose: chooseStreak },
  { priority: 40, choose: chooseRest },
  { priority: 30, choose: chooseBark },
]

/** The only card if no rule returns one. */
const welcome: ChosenCard = { type: 'welcome', text: 'WELCOME', values: {} }
const welcomePriority = 10

/** A greater age is implausible: such a date of birth counts as unknown. */
const yearsAtMost = 40

function chooseBirthday({ facts, today }: HomeDay): ChosenCard | undefined {
  const found = facts.birthday == null ? undefined : findAnniversary(facts.birthday, today)
  if (found === undefined) return undefined
  const years = found.years ?? 0
  return { type: 'birthday', text: 'BIRTHDAY', values: { years: years > yearsAtMost ? 0 : years } }
}

function chooseAdoptionDay({ facts, today }: HomeDay): ChosenCard | undefined {
  const found = facts.adoption_date == null ? undefined : findAnniversary(facts.adoption_date, today)
  if (found?.years == null || found.years > yearsAtMost) return undefined
  return { type: 'adoption_day', text: 'ADOPTION_DAY', values: { years: found.years } }
}

function chooseWeather({ facts }: HomeDay): ChosenCard | undefined {
  const weather = findWeather(facts.weather, facts.temperature_celsius)
  return weather && { type: 'weather', text: `WEATHER_${weather}`, values: {} }
}

function chooseDiary({ facts: { diary_ready, diary_id } }: HomeDay): ChosenCard | undefined {
  if (!(diary_ready ?? diary_id != null)) return undefined
  // The text does not name the diary, but the ID makes it a different card.
  return { type: 'diary', text: 'DIARY', values: { diary: diary_id ?? '' } }
}

/** Compares the rounded minutes that the text shows: 59.6 of 60 reaches the goal. */
function chooseActivity({ facts, say }: HomeDay): ChosenCard | undefined {
  if (facts.activity_minutes == null) return undefined
  const active = roundHalfUp(facts.activity_minutes)
  const goal = roundHalfUp(facts.activity_goal_minutes ?? 0)
  const type = 'activity'
  if (active === 0) return { type, text: 'ACTIVITY_QUIET', values: {} }
  const duration = say(active)
  if (goal === 0) return { type, text: 'ACTIVITY', values: { duration } }
  const values = { duration, goal: say(goal) }
  return active < goal
    ? { type, text: 'ACTIVITY_WITH_GOAL', values }
    : { type: 'goal_reached', text: 'GOAL_REACHED', values }
}

function chooseStreak({ facts }: HomeDay): ChosenCard | undefined {
  const days = facts.streak_days ?? 0
  return days < 2 ? undefined : { type: 'streak', text: 'STREAK', values: { days } }
}

function chooseRest({ facts, say }: HomeDay): ChosenCard | undefined {
  const rested = roundHalfUp(facts.rest_minutes ?? 0)
  return rested === 0 ? undefined : { type: 'rest', text: 'REST', values: { duration: say(rested) } }
}

function chooseBark({ facts, species, say }: HomeDay): ChosenCard | undefined {
  const { bark_count, bark_minutes } = facts
  if (species === 'cat' || (bark_count == null && bark_minutes == null)) return undefined
  const count = bark_count ?? 0
  const minutes = roundHalfUp(bark_minutes ?? 0)
  const type = 'bark'
  if (count === 0 && minutes === 0) {
    // Seconds of barking without a count are neither quiet nor worth a card.
    return (bark_minutes ?? 0) > 0 ? undefined : { type, text: 'BARK_QUIET', values: {} }
  }
  const known = minutes === 0 ? 'count' : count === 0 ? 'duration' : 'both'
  return { type, text: 'BARK', values: { known, count, duration: say(minutes) } }
}

/**
 * Returns the anniversary of a date (`YYYY-MM-DD` or `MM-DD`) on the day number `today`, if there is one; the date
 * itself is year 0. In a year without 29 February, its anniversary is on the 28th. Undefined before the date.
 * `years` is null if the year of the date is unknown.
 */
function findAnniversary(date: string, today: number): { readonly years: number | null } | undefined {
  const on = dateParts(today)
  const [month = 0, day = 0] = date.slice(-5).split('-').map(Number)
  if (on.month !== month || on.day !== Math.min(day, daysInMonth(on.year, month))) return undefined
  if (date.length === 5) return { years: null }
  const first = parseDate(date)
  if (first === undefined || first > today) return undefined
  return { years: on.year - dateParts(first).year }
}
