/** The assumptions, and what they cost at the vendors. Each is a flag of `npm run plan`. */
export const assumptions = {
  pets: { value: 10_000_000, what: 'pets, each with one avatar' },
  pictures: { value: 4, what: 'poses of an avatar' },
  clips: { value: 4, what: 'clips of an avatar' },
  insights: { value: 1, what: 'health insights a pet and day' },
  peak: { value: 10, what: 'calls at the busiest time, of the mean' },
  'keep-days': { value: 90, what: 'days that single records are kept' },
  slots: { value: 1000, what: 'pictures or clips in work at once' },
  'picture-seconds': { value: 30, what: 'seconds that a model takes for a picture' },
  'clip-seconds': { value: 90, what: 'seconds that a model takes for a clip' },
  'picture-megabytes': { value: 1.5, what: 'megabytes of a picture' },
  'clip-megabytes': { value: 3.5, what: 'megabytes of a clip, WebP and MP4' },
  'picture-dollars': { value: 0.04, what: 'dollars for a picture' },
  'clip-dollars': { value: 0.25, what: 'dollars for a clip' },
} as const

export type Assumptions = Record<keyof typeof assumptions, number>

/** Bytes of a row with its share of the indexes, measured on PostgreSQL 15 with a million tasks. */
const bytes = { task: 1355, unit: 394, ledger: 322, usage: 289, archive: 328, idempotency: 227, sum: 193 }
/** Processor time of PostgreSQL in microseconds: the goals of `npm run bench -- fleet`, which measures them. */
const micros = { create: 250, read: 40, unit: 1500, insight: 17 }
/** Seconds between two polls of a task. */
const pollSeconds = 3
const daySeconds = 86_400

/** Computes a plan: rows of a name and a value. */
export function computePlan(given: Assumptions): readonly (readonly [what: string, value: string])[] {
  const { pets } = given
  const pictures = pets * given.pictures
  const clips = pets * given.clips
  const insightsPerDay = pets * given.insights
  const avatarBytes = bytes.task + bytes.usage + bytes.idempotency + given.pictures * (bytes.unit + bytes.ledger)
  const animationBytes = bytes.task + bytes.usage + bytes.idempotency + given.clips * (bytes.unit + bytes.ledger)
  const insightBytes = (bytes.archive + bytes.usage) * insightsPerDay
  // One row for the pet and one for its user.
  const sumBytes = 2 * bytes.sum * Math.min(pets, insightsPerDay)
  const workSeconds = pictures * given['picture-seconds'] + clips * given['clip-seconds']
  const unitsPerSecond = given.slots / (workSeconds / (pictures + clips))
  const insightsPerSecond = (insightsPerDay / daySeconds) * given.peak
  const pollsPerSecond = given.slots / pollSeconds
  const cores =
    (unitsPerSecond * micros.unit +
      (unitsPerSecond / given.pictures) * micros.create +
      pollsPerSecond * micros.read +
      insightsPerSecond * micros.insight) /
    1e6
  return [
    ['rows of avatars', toSize(pets * avatarBytes)],
    ['rows of animations', toSize(pets * animationBytes)],
    ['rows of insights, a day', toSize(insightBytes)],
    [`rows of insights, ${given['keep-days']} days`, toSize(insightBytes * given['keep-days'])],
    ['sums of usage, a day at most', toSize(sumBytes)],
    ['pictures in the bucket', toSize(pictures * given['picture-megabytes'] * 1e6)],
    ['clips in the bucket', toSize(clips * given['clip-megabytes'] * 1e6)],
    ['days to make all pictures', toNumber((pictures * given['picture-seconds']) / given.slots / daySeconds)],
    ['days to make all clips', toNumber((clips * given['clip-seconds']) / given.slots / daySeconds)],
    ['dollars for pictures', toNumber(pictures * given['picture-dollars'])],
    ['dollars for clips', toNumber(clips * given['clip-dollars'])],
    ['insights a second at the busiest time', toNumber(insightsPerSecond)],
    ['cores of PostgreSQL for calls and units', cores.toFixed(2)],
  ]
}

/** Renders the assumptions and the plan as lines of two columns. */
export function renderPlan(given: Assumptions): string[] {
  const assumed = Object.entries(assumptions).map(
    ([name, { what }]) => [`--${name}  ${what}`, toNumber(given[name as keyof Assumptions])] as const,
  )
  return ['Assumptions', ...toLines(assumed), '', 'Plan', ...toLines(computePlan(given))]
}

/** Reads flags. Throws for one that is not an assumption, or a value that is not a positive number. */
export function readAssumptions(args: readonly string[]): Assumptions {
  const given = Object.fromEntries(Object.entries(assumptions).map(([name, { value }]) => [name, value])) as Assumptions
  for (let place = 0; place < args.length; place += 2) {
    const [name, value] = [(args[place] ?? '').replace(/^--/, ''), Number(args[place + 1])]
    if (!(name in assumptions)) throw new Error(`--${name} is not one of: ${Object.keys(assumptions).join(', ')}.`)
    if (!(value > 0 && Number.isFinite(value))) throw new Error(`--${name} must be a positive number.`)
    given[name as keyof Assumptions] = value
  }
  return given
}

function toLines(rows: readonly (readonly [string, string])[]): string[] {
  return rows.map(([what, value]) => `  ${what.padEnd(62)}${value.padStart(12)}`)
}

function toSize(sizeBytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB']
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, sizeBytes)) / 3))
  return `${toNumber(sizeBytes / 1000 ** power)} ${units[power]}`
}

/** Three digits: the assumptions are not more exact. */
function toNumber(value: number): string {
  return Number(value.toPrecision(3)).toLocaleString('en-US', { maximumFractionDigits: 2 })
}
