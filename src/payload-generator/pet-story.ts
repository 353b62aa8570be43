import { formatDate, windowOf } from '../insight/calendar.js'
import { type Metric, metrics, viewWindows } from '../insight/types.js'
import { between, createDraw, type Draw, pick } from './draw.js'
import { createFrame, type PayloadFrame } from './frame.js'
import { composePayload, type PayloadRequest } from './generate-payload.js'
import { type DayKind, usualRatings, worse } from './story.js'

/** Everything that a story depends on: the same choice gives the same story. */
export interface PetStoryChoice extends Pick<PayloadRequest, 'pet' | 'seed' | 'end' | 'timezone' | 'locale'> {
  /** Number of days. */
  readonly days: number
  readonly metric?: Metric | undefined
}

/** Days with records until the usual range of a pet is known. */
const learningDays = 14

/**
 * Returns the pages of one pet in order of time, each with the `YYYY-MM-DD` of the morning on which it is new: each morning the
 * last night and the day before; on a Monday the week, and on the first of a month the month, that are over. A day has the same
 * records and rating on each page. A cat has no page of barking.
 */
export function generatePetStory(choice: PetStoryChoice) {
  const { days, end, metric: only, pet, timezone } = choice
  const draws = createDraw(choice.seed)
  const draw: Draw = (...keys) => draws(pet.name, ...keys)
  const first = end - days + 1
  const told = metrics.filter((metric) => (only ?? metric) === metric && !(metric === 'bark' && pet.species === 'cat'))
  return Array.from({ length: days }, (_, index) => first + index).flatMap((day) =>
    viewWindows
      .filter((viewWindow) => viewWindow === 'day' || windowOf(viewWindow, day).start === day)
      .flatMap((viewWindow) =>
        told.flatMap((metric) => {
          const isNight = metric === 'rest' && viewWindow === 'day'
          const last = isNight ? day : day - 1
          const mode = isNight ? 'last_night' : 'selected_window'
          const page = { metric, viewWindow, mode, date: formatDate(last), timezone, time: '09:00' } as const
          return last < first
            ? []
            : [{ date: formatDate(day), payload: compose(createFrame(page), choice, first, draw) }]
        }),
      ),
  )
}

function compose(frame: PayloadFrame, { locale, pet, seed }: PetStoryChoice, first: number, draw: Draw) {
  const { end, metric, viewWindow } = frame
  const days = describeDays(metric, first, draw)
  const valid = listDays({ start: first, end }).filter((day) => days.kindOf(day) !== 'missing')
  const learned = (valid[learningDays - 1] ?? end) + 1
  // A day without a rating, or near the usual range, does not count as unusual.
  const countedKind = (day: number): DayKind =>
    day < learned ? 'missing' : days.isSlight(day) ? 'usual' : days.kindOf(day)
  const counted = listDays(frame).map(countedKind)
  const has = (kind: DayKind) => counted.includes(kind)
  const isRated = counted.some((kind) => kind !== 'missing')
  const isSlight = viewWindow === 'day' && days.isSlight(end)
  const kind = isSlight ? days.kindOf(end) : has('low') ? 'low' : has('high') ? 'high' : 'usual'
  let streak = 0
  while (viewWindow === 'day' && ['low', 'high'].includes(countedKind(end - streak))) streak++
  const story = {
    kindOf: countedKind,
    rating: isRated ? rate(metric, kind, isSlight, has('low') && has('high'), draw('usual', metric, end)) : null,
    ...({ isJudged: true, isSplit: true, goal: 'none', streak } as const),
  }
  const progress = { validDays: valid.length, requiredDays: learningDays }
  return composePayload(frame, story, {
    ...days,
    pet,
    locale,
    seed,
    draw,
    isNew: !isRated,
    ...(end < learned && { progress }),
  })
}

const listDays = ({ start, end }: Pick<PayloadFrame, 'start' | 'end'>) =>
  Array.from({ length: end - start + 1 }, (_, index) => start + index)

function rate(metric: Metric, kind: DayKind, isSlight: boolean, isMixed: boolean, draw: number): string {
  if (kind === 'usual') return pick(draw, usualRatings[metric])
  if (metric === 'rest') return isSlight ? 'Fair' : 'Poor'
  if (metric === 'bark') return isSlight ? 'active' : 'frequent'
  return isMixed ? 'fluctuating' : kind
}

/** The days of a metric: most are usual, some unusual ones follow each other, and some have no records. */
function describeDays(metric: Metric, first: number, draw: Draw) {
  const findRun = (day: number) =>
    [day, day - 1, day - 2, day - 3].find(
      (start) =>
        start >= first &&
        draw('run', metric, start) < 0.05 &&
        start + between(draw('length', metric, start), 1, 4) > day,
    )
  const kindOf = (day: number): DayKind => {
    if (day < first || (metric !== 'activity' && draw('missing', metric, day) < 0.03)) return 'missing'
    const run = findRun(day)
    if (run === undefined) return 'usual'
    return metric === 'activity' && draw('high', run) < 0.4 ? 'high' : worse[metric]
  }
  const isSlight = (day: number) => {
    const run = findRun(day)
    return (
      (metric === 'rest' || metric === 'bark') &&
      run !== undefined &&
      kindOf(day) !== 'missing' &&
      draw('slight', metric, run) < 0.5
    )
  }
  return { kindOf, isSlight }
}
