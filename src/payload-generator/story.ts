import type { Scenario } from '../insight/scenarios.js'
import type { Metric } from '../insight/types.js'
import { byVital } from '../insight/vitals.js'
import { between, type Draw, pick } from './draw.js'
import type { PayloadFrame } from './frame.js'

/** A day of a pet against its usual range; `missing`: the device recorded nothing. */
export type DayKind = 'usual' | 'low' | 'high' | 'missing'

/** The days of a window, and what the caller says about them. */
export interface Story {
  readonly kindOf: (day: number) => DayKind
  /** Null before the first rating. */
  readonly rating: string | null
  readonly direction?: -1 | 0 | 1 | undefined
  readonly deteriorating?: boolean | undefined
  /** False where activity and bark send no judgment at all. */
  readonly isJudged: boolean
  /** Unusual days in a row up to the day of a day window. */
  readonly streak: number
  /** False: the payload does not say how many unusual days were low and how many high. */
  readonly isSplit: boolean
  readonly goal: 'none' | 'below' | 'met'
}

type Shape = 'usual' | 'low' | 'high' | 'worse' | 'mixed' | 'unsplit' | 'unrated' | 'none'

/** The shape of the days and the rating that lead to a scenario; the end of its ID names them. */
const shapes: readonly (readonly [ending: RegExp, shape: Shape, rating?: string])[] = [
  [/^INSUFFICIENT_DATA$/, 'none'],
  [/^REST_NIGHT_GOOD$/, 'usual', 'Good'],
  [/^REST_NIGHT_FAIR$/, 'low', 'Fair'],
  [/^REST_NIGHT_POOR$/, 'low', 'Poor'],
  [/^BARK_DAY_CALM$/, 'usual', 'calm'],
  [/^BARK_DAY_ACTIVE$/, 'high', 'active'],
  [/^BARK_DAY_FREQUENT$/, 'high', 'frequent'],
  [/_MIXED_DAYS$/, 'mixed'],
  [/^ACTIVITY_PERIOD_UNUSUAL_DAYS$/, 'unsplit'],
  [/(_LOW|_LOW_DAYS|_LOW_NIGHTS)$/, 'low'],
  [/(_HIGH|_HIGH_DAYS)$/, 'high'],
  [/(_OUT_OF_RANGE|_UNUSUAL_DAYS)$/, 'worse'],
  [/_UNRATED$/, 'unrated'],
  [/./, 'usual'],
]

/** The direction that counts as worse, where only one does. */
export const worse: Readonly<Record<Metric, 'low' | 'high'>> = {
  activity: 'low',
  rest: 'low',
  hr: 'high',
  hrv: 'low',
  rr: 'high',
  bark: 'high',
}
export const usualRatings: Readonly<Record<Metric, readonly string[]>> = {
  activity: ['normal'],
  rest: ['Good'],
  ...byVital(() => ['normal', 'normal', 'balanced']),
  bark: ['calm'],
}

/** Tells the days that lead to a scenario. The decision confirms it: a window in progress may have too few days. */
export function tellStory({ id }: Scenario, frame: PayloadFrame, draw: Draw): Story {
  const [, shape = 'usual', rating] = shapes.find(([ending]) => ending.test(id)) ?? []
  const goal = id.endsWith('BELOW_GOAL') ? 'below' : id.endsWith('GOAL_MET') ? 'met' : 'none'
  const plain = { isSplit: shape !== 'unsplit', goal, streak: 0, isJudged: true } as const
  if (shape === 'none' || shape === 'unrated') return { ...plain, ...tellUnrated(shape, frame, draw) }
  return { ...plain, ...(frame.viewWindow === 'day' ? tellDay : tellPeriod)(shape, rating, frame, draw) }
}

function tellUnrated(shape: 'none' | 'unrated', { metric, viewWindow, start, finished }: PayloadFrame, draw: Draw) {
  const isOptional = metric === 'activity' || metric === 'bark'
  const records = viewWindow === 'week' ? between(draw('records'), 1, 2) : between(draw('records'), 4, 8)
  const last = start + Math.max(1, finished)
  const kindOf = (day: number): DayKind =>
    shape === 'none' || (viewWindow !== 'day' && day < last - records) ? 'missing' : 'usual'
  return { kindOf, rating: null, isJudged: !isOptional || draw('judged') < 0.5 }
}

function tellDay(shape: Shape, rating: string | undefined, { metric }: PayloadFrame, draw: Draw) {
  const kind: DayKind = shape === 'worse' ? worse[metric] : shape === 'low' || shape === 'high' ? shape : 'usual'
  if (kind === 'usual') return { kindOf: () => kind, rating: rating ?? pick(draw('rating'), usualRatings[metric]) }
  const isSteady = rating !== undefined || draw('fluctuating') < 0.85
  return {
    kindOf: () => kind,
    rating: rating ?? (isSteady ? kind : 'fluctuating'),
    direction: isSteady ? undefined : kind === 'low' ? (-1 as const) : (1 as const),
    streak: pick(draw('streak'), [1, 1, 2, 3, 4]),
    ...(draw('deteriorating') < 0.2 && { deteriorating: true }),
  }
}

function tellPeriod(shape: Shape, _: string | undefined, frame: PayloadFrame, draw: Draw) {
  const { metric, viewWindow, start, finished } = frame
  const most = Math.max(1, viewWindow === 'week' ? 2 : 4)
  const isMixed = shape === 'mixed' || (shape === 'unsplit' && draw('mixed') < 0.5)
  const kind = shape === 'low' || shape === 'high' ? shape : worse[metric]
  const length = between(draw('length'), 1, most)
  // Unusual days come in a row; a second row of a mixed window comes in its other half.
  const room = isMixed ? Math.floor(finished / 2) : finished
  const first = start + between(draw('first'), 0, Math.max(0, room - length))
  const second = start + room + between(draw('second'), 0, Math.max(0, finished - room - length))
  const kindOf = (day: number): DayKind => {
    if (shape === 'usual') return 'usual'
    if (day >= first && day < first + length) return kind
    return isMixed && day >= second && day < second + length ? (kind === 'low' ? 'high' : 'low') : 'usual'
  }
  return { kindOf, rating: rateRange(shape, isMixed, kind, frame, draw) }
}

function rateRange(shape: Shape, isMixed: boolean, kind: DayKind, { metric }: PayloadFrame, draw: Draw): string {
  if (shape === 'usual') return pick(draw('rating'), usualRatings[metric])
  if (metric === 'rest') return pick(draw('rating'), ['Fair', 'Poor'])
  if (metric === 'bark') return pick(draw('rating'), ['active', 'frequent'])
  return isMixed || draw('rating') < 0.25 ? 'fluctuating' : kind
}
