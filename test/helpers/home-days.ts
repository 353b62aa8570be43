import type { HomeFacts } from '../../src/home/facts.js'
import type { HomeInput } from '../../src/home/home.js'

type Day = Partial<Omit<HomeInput, 'facts'>> & { readonly facts?: HomeFacts }

/** A dog named Mochi on a Tuesday in June. */
export function buildDay(day: Day = {}): HomeInput {
  return {
    userId: 'u1',
    petId: 'p1',
    petName: 'Mochi',
    species: 'dog',
    locale: 'en-US',
    date: '2026-06-16',
    facts: {},
    ...day,
  }
}

const cat = { species: 'cat', petName: 'Luna' } as const
const nameless = { petName: undefined, species: undefined } as const

/** Days that between them show every text in every form: title of the day, and what differs from `buildDay`. */
export const homeDays: readonly (readonly [title: string, day: Day])[] = [
  ['nothing known', {}],
  ['nothing known, no name, a dog', { petName: undefined }],
  ['nothing known, no name, a cat', { petName: undefined, species: 'cat' }],
  ['nothing known, no name, no species', nameless],
  ['birthday, age not known', { facts: { birthday: '06-16' } }],
  ['birthday, 1 year', { facts: { birthday: '2025-06-16' } }],
  ['birthday, 3 years', { facts: { birthday: '2023-06-16' } }],
  ['birthday, no name', { petName: undefined, facts: { birthday: '2023-06-16' } }],
  ['day of adoption', { facts: { adoption_date: '2026-06-16' } }],
  ['1 year after adoption', { facts: { adoption_date: '2025-06-16' } }],
  ['5 years after adoption', { facts: { adoption_date: '2021-06-16' } }],
  ...['storm', 'thunderstorm', 'snow', 'hot', 'cold', 'rain', 'wind', 'mild'].flatMap((weather): [string, Day][] => [
    [`${weather}, a dog`, { facts: { weather } }],
    [`${weather}, a cat`, { ...cat, facts: { weather } }],
  ]),
  ['rain, no name, no species', { ...nameless, facts: { weather: 'rain' } }],
  ['diary', { facts: { diary_ready: true, diary_id: 'd1' } }],
  ['goal reached', { facts: { activity_minutes: 75, activity_goal_minutes: 60 } }],
  ['on the way to the goal', { facts: { activity_minutes: 25, activity_goal_minutes: 120 } }],
  ['activity', { facts: { activity_minutes: 90 } }],
  ['activity, no name', { petName: undefined, facts: { activity_minutes: 60 } }],
  ['no activity', { ...cat, facts: { activity_minutes: 0, activity_goal_minutes: 60 } }],
  ['streak', { facts: { streak_days: 7 } }],
  ['rest', { ...cat, facts: { rest_minutes: 545.5 } }],
  ['1 bark', { facts: { bark_count: 1 } }],
  ['12 barks', { facts: { bark_count: 12 } }],
  ['1 bark of a minute', { facts: { bark_count: 1, bark_minutes: 1 } }],
  ['12 barks in 3 minutes', { facts: { bark_count: 12, bark_minutes: 3 } }],
  ['barks, not counted', { facts: { bark_minutes: 3 } }],
  ['no bark', { facts: { bark_count: 0 } }],
  [
    'everything at once',
    {
      facts: {
        birthday: '2023-06-16',
        adoption_date: '2023-06-16',
        weather: 'sunny',
        temperature_celsius: 31,
        diary_ready: true,
        activity_minutes: 75,
        activity_goal_minutes: 60,
        streak_days: 3,
        rest_minutes: 480,
        bark_count: 4,
      },
    },
  ],
]
