import { roundHalfUp } from '../insight/format.js'
import { findAnniversary } from './anniversary.js'
import type { HomeCardType } from './card-types.js'
import type { HomeFacts } from './facts.js'
import { findWeather } from './weather.js'

export type CardValues = Readonly<Record<string, string | number>>

/** The input of the card rules; `today` is a day number. */
export interface HomeDay {
  readonly facts: HomeFacts
  readonly today: number
  readonly species: 'dog' | 'cat' | undefined
  /** Writes whole minutes in words. */
  readonly say: (minutes: number) => string
}

/** A text of `catalog/home.json`, without `_TITLE` and `_BODY`, and the values of its arguments. */
export interface ChosenCard {
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
export const cardRules: readonly CardRule[] = [
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
export const welcome: ChosenCard = { type: 'welcome', text: 'WELCOME', values: {} }
export const welcomePriority = 10

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
