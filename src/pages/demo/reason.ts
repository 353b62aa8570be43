import type { Selection } from './answers.js'

/** The day of a pet, in the words that were sent. */
export interface DayFacts {
  readonly name: string
  readonly weather: string | null
  readonly location: string | null
  readonly mood: string | null
  /** The category of the scene of a holiday. */
  readonly category: string
}

const weathers: Readonly<Record<string, string>> = {
  sunny: 'the sun shone',
  cloudy: 'it was cloudy',
  rain: 'it rained',
  snow: 'it snowed',
  wind: 'it was windy',
  fog: 'it was foggy',
}

const places: Readonly<Record<string, string>> = {
  home: 'at home',
  yard: 'in the yard',
  park: 'in the park',
  forest: 'in the forest',
  beach: 'at the beach',
  city: 'in the city',
}

const holidays: Readonly<Record<string, (name: string) => string>> = {
  personal: (name) => `it was a special day for ${name}`,
  species_day: () => 'the calendar has a day for pets',
}

/** Says in words why a scene was chosen: `because it rained and Rex felt calm`, and what it does not show. */
export function describeReason({ match_reason: { matched } }: Selection, day: DayFacts): string {
  const { name, weather, location, mood, category } = day
  const clauses: Readonly<Record<string, string>> = {
    holiday: holidays[category]?.(name) ?? 'it was a holiday',
    location: `${name} was ${places[location ?? ''] ?? 'there'}`,
    weather: weathers[weather ?? ''] ?? 'of the weather',
    mood: `${name} felt ${mood}`,
  }
  const reasons = matched.flatMap((fact) => clauses[fact] ?? [])
  if (reasons.length === 0) return 'because no scene shows exactly this day'
  // The scenes of holidays fit any weather, and are drawn in that of the day.
  const outside = matched.includes('holiday') && weather !== null ? `; ${weathers[weather]} that day` : ''
  const missed = [
    matched.includes('location') ? undefined : places[location ?? ''],
    matched.includes('mood') || mood === null ? undefined : `with a ${mood} ${name}`,
  ].filter((fact) => fact !== undefined)
  const without = missed.length === 0 ? '' : `; the library has no such scene ${missed.join(' ')}`
  return `because ${new Intl.ListFormat('en-US').format(reasons)}${outside}${without}`
}
