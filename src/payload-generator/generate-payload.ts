import { formatDate, windowOf } from '../insight/calendar.js'
import { decide } from '../insight/decide.js'
import { readFacts } from '../insight/facts.js'
import { type HealthDetailPayload, type Scenario, validate } from '../insight/index.js'
import { readValidPayload } from '../insight/reading.js'
import { meanOf } from '../insight/rules/mean.js'
import type { Locale, Metric, ViewWindow } from '../insight/types.js'
import { byVital } from '../insight/vitals.js'
import { assemblePayload, type GeneratedPet, type Parts, round } from './assemble.js'
import { between, createDraw, type Draw } from './draw.js'
import { createFrame, formatTime, type Mode, type PayloadFrame } from './frame.js'
import { createLivingPet, type LivingPet, type PetNature } from './living-pet.js'
import { type Story, tellStory } from './story.js'

/** Everything that a payload depends on: the same request gives the same payload. */
export interface PayloadRequest {
  readonly scenario: Scenario
  readonly metric: Metric
  readonly viewWindow: ViewWindow
  readonly timezone: string
  /** Day number of the last day. */
  readonly end: number
  /** True for the week or month that contains `end`, seen on that day; else the latest that ends on it or before. */
  readonly isSoFar: boolean
  readonly seed: number
  readonly locale: Locale
  readonly pet: GeneratedPet
}

/** A payload, or the reason that no attempt at it was valid and got its scenario. */
export type Generated = { readonly payload: HealthDetailPayload } | { readonly reason: string }

const attempts = 16

/** Generates a payload without errors and warnings, other than that a cat barks, for which the decision chooses the scenario. */
export function generatePayload(request: PayloadRequest): Generated {
  let reason = ''
  for (let attempt = 0; attempt < attempts; attempt++) {
    const payload = drawPayload(request, createDraw(request.seed + attempt * 1_000_003))
    const { errors, warnings } = validate(payload)
    const [violation] = [...errors, ...warnings.filter(({ rule }) => rule !== 'envelope-bark-species')]
    const chosen = violation === undefined ? decide(readFacts(readValidPayload(payload))).scenario.id : undefined
    if (chosen === request.scenario.id) return { payload }
    reason = violation?.message ?? `its days lead to ${chosen}.`
  }
  return { reason }
}

function drawPayload(request: PayloadRequest, draw: Draw): HealthDetailPayload {
  const { scenario, locale, pet, seed } = request
  const frame = chooseFrame(request, draw)
  const story = tellStory(scenario, frame, draw)
  const isSlight = story.rating === 'active' || story.rating === 'Fair'
  const isNew = story.rating === null && scenario.when[0]?.view !== 'today'
  const progress = { validDays: between(draw('progress'), 1, 12), requiredDays: 14 }
  return composePayload(frame, story, {
    ...{ pet, locale, seed, isNew, progress },
    kindOf: (day) => (day < frame.start || day > frame.end ? 'usual' : story.kindOf(day)),
    isSlight: () => isSlight,
    draw,
  })
}

/** The pet of a payload, with the days around its window. */
export interface ComposeOptions
  extends Pick<PayloadRequest, 'pet' | 'locale' | 'seed'>,
    Pick<PetNature, 'kindOf' | 'isSlight'> {
  /** True: nothing is compared, since the usual range of the pet is not known. */
  readonly isNew: boolean
  /** The progress towards it, for a day. */
  readonly progress?: Parts['baselineProgress']
  readonly draw: Draw
}

/** Composes the payload of a window from what its story says. */
export function composePayload(frame: PayloadFrame, story: Story, options: ComposeOptions): HealthDetailPayload {
  const { draw, isNew, isSlight, kindOf, locale, pet, progress, seed } = options
  const living = createLivingPet(frame, { species: pet.species, kindOf, goal: story.goal, isSlight }, draw)
  return assemblePayload(frame, {
    pet,
    locale,
    factVersion: `facts-${Math.floor(draw('facts', seed, frame.metric) * 2 ** 32)
      .toString(16)
      .padStart(8, '0')}`,
    records: living.records,
    observedThrough: frame.mode === 'today_so_far' ? reportTime(frame, draw) : undefined,
    baselineProgress: isNew && frame.viewWindow === 'day' ? progress : undefined,
    comparison: isNew ? undefined : compare(frame, story, living, draw),
    judgment: story.isJudged ? judge(frame, story) : undefined,
  })
}

/** Chooses the mode of a day and the time at which the window is seen. */
function chooseFrame(
  { scenario, metric, viewWindow, timezone, end, isSoFar }: PayloadRequest,
  draw: Draw,
): PayloadFrame {
  const views = new Set(scenario.when.map(({ view }) => view))
  const isToday = viewWindow === 'day' && views.has('today') && (views.size === 1 || draw('today') < 0.3)
  const isLastNight = !isToday && viewWindow === 'day' && metric === 'rest' && draw('last night') < 0.5
  const mode: Mode = isToday ? 'today_so_far' : isLastNight ? 'last_night' : 'selected_window'
  const [first, last] = isToday && metric === 'rest' ? [300, 470] : isLastNight ? [490, 660] : [600, 1290]
  const time = formatTime(between(draw('time'), first, last))
  const window = windowOf(viewWindow, end)
  const date = isSoFar || window.end <= end ? end : window.start - 1
  const asOf = isSoFar && viewWindow !== 'day' ? `${formatDate(end)}T${time}` : undefined
  return createFrame({ metric, viewWindow, mode, date: formatDate(date), timezone, asOf, time })
}

/** A report some minutes before asOf, with its offset. */
function reportTime({ asOf }: PayloadFrame, draw: Draw): string {
  const [, before = '', minutes = '', after = ''] = /^(.*:)(\d\d)(:.*)$/.exec(asOf.slice(0, 19)) ?? []
  const minute = Math.max(0, Number(minutes) - between(draw('report'), 1, 20))
  return `${before}${String(minute).padStart(2, '0')}${after}${asOf.slice(19)}`
}

function judge(frame: PayloadFrame, { rating, direction, deteriorating, kindOf }: Story): Record<string, unknown> {
  const { low, high, rated } = countDays(frame, kindOf)
  const isSlight = rating === 'active' || rating === 'Fair'
  const attention = frame.viewWindow === 'day' && isSlight ? 0 : low + high
  return createJudgment(frame, {
    rating,
    direction,
    deteriorating,
    counted: rating === null ? 0 : rated,
    attention: rating === null ? null : attention,
  })
}

/** Counts the rated days of a window, and those of them that are unusual. A night counts on the day on which it ends. */
function countDays({ metric, viewWindow, start, finished, elapsed }: PayloadFrame, kindOf: Story['kindOf']) {
  const length = viewWindow === 'day' ? 1 : metric === 'rest' ? elapsed : finished
  const kinds = Array.from({ length }, (_, index) => kindOf(start + index))
  const countOf = (wanted: string) => kinds.filter((kind) => kind === wanted).length
  return { low: countOf('low'), high: countOf('high'), rated: kinds.length - countOf('missing') }
}

function compare(frame: PayloadFrame, story: Story, { range, amountOf, records }: LivingPet, draw: Draw) {
  const { metric, viewWindow, start } = frame
  const usual = { ...(metric !== 'bark' && { usualLower: range.lower }), usualUpper: range.upper }
  const basis = { pageEvaluationBasis: 'personal' }
  if (viewWindow === 'day') {
    const wakes = metric === 'rest' ? (records.night(start)?.wakes ?? 0) : 0
    const factors = wakes > 3 && draw('factor') < 0.6 ? ['duration', 'interruptions'] : ['duration']
    const isPoor = story.rating === 'Fair' || story.rating === 'Poor'
    return { ...usual, consecutiveUnusualDays: story.streak, ...(isPoor && { restRatingFactors: factors }), ...basis }
  }
  const { low, high } = countDays(frame, story.kindOf)
  return {
    ...usual,
    changePercent: changeOf(frame, amountOf),
    ...(metric === 'activity' && story.isSplit && { unusualLowDays: low, unusualHighDays: high }),
    ...basis,
  }
}

/** Compares the finished days of a window with the window before. */
function changeOf({ viewWindow, start, finished }: PayloadFrame, amountOf: LivingPet['amountOf']): number | null {
  const before = windowOf(viewWindow, start - 1)
  const meanFrom = (first: number, days: number) =>
    meanOf(Array.from({ length: days }, (_, index) => amountOf(first + index) ?? null))
  const [now, then] = [meanFrom(start, finished), meanFrom(before.start, before.end - before.start + 1)]
  return now === undefined || then === undefined ? null : round((now / then - 1) * 100)
}

/** A rating and the days that it counts; `counted` and `attention` are days or nights. */
interface Rating {
  /** Null before the first rating. */
  readonly rating: string | null
  /** Default: that of the rating. */
  readonly direction?: -1 | 0 | 1 | null | undefined
  readonly deteriorating?: boolean | undefined
  readonly counted: number
  readonly attention: number | null
}

const ruleVersions = {
  activity: 'activity-judgment-v1',
  rest: 'sleep-rating-c2-v1',
  ...byVital(() => 'vital-judgment-c1-v1'),
  bark: 'bark-judgment-v1',
}

const directions: Readonly<Record<string, -1 | 0 | 1>> = {
  low: -1,
  high: 1,
  Poor: -1,
  Fair: -1,
  active: 1,
  frequent: 1,
}

/** Returns `suppliedJudgment`. Source: health detail contract, 2.3. */
export function createJudgment({ metric }: Pick<PayloadFrame, 'metric'>, rating: Rating): Record<string, unknown> {
  const isRated = rating.rating !== null
  const usual = rating.rating === null ? null : (directions[rating.rating] ?? 0)
  return {
    ruleVersion: ruleVersions[metric],
    rating: rating.rating,
    direction: rating.direction === undefined ? usual : rating.direction,
    baselineSource: isRated ? 'personal' : null,
    ...(rating.deteriorating !== undefined && { deteriorating: rating.deteriorating }),
    ...(metric === 'rest'
      ? { ratedNights: rating.counted, lowRestDays: rating.attention }
      : { judgedDays: rating.counted, unusualDays: rating.attention }),
  }
}
