import { knownChecks, memberNames } from '../generated/validators.js'
import { readPointer, toPointer } from '../text/json-location.js'
import { isNear, listWords } from '../text/spelling.js'
import { describeValue, listPlaces, nameMember } from './describe-value.js'
import { isJsonObject, type JsonObject, type NameTree } from './json-object.js'
import type { KnownCheck } from './known-member-checks.js'
import type { ViolationDetails } from './rules/rule.js'
import type { Metric, ViewWindow } from './types.js'
import { type MetricWindow, metricWindowOf } from './vitals.js'

/** The names known at one place, and those among them with something known below. */
interface KnownNames {
  readonly names: readonly string[]
  readonly below: readonly (readonly [name: string, names: KnownNames])[]
}

/**
 * Finds members whose name is unknown and nearly that of a known member that is missing next to them: it differs in
 * upper and lower case, in underscores and hyphens, in one or two letters, or has the same words; in `metrics` also those
 * that seem to be meant for a member that the page needs. All other unknown members are ignored without a message. Of a
 * payload without a metric, finds the member that seems to hold the payload.
 */
export function findUnknownMembers(
  payload: JsonObject,
  metric: Metric | undefined,
  viewWindow: ViewWindow | undefined,
): readonly ViolationDetails[] | undefined {
  if (metric === undefined || viewWindow === undefined) return findWrapper(payload)
  const page = metricWindowOf(metric, viewWindow)
  if (checks[page](payload)) return undefined
  const findings: ViolationDetails[] = []
  visitObjects(payload, getNames(page), '', (members, known, path) => reportUnknown(members, known, path, findings))
  return findings.length === 0 ? undefined : findings
}

/**
 * Lists every member whose name is unknown, one finding for the same name in all entries of an array. Those that
 * `findUnknownMembers` finds have its message.
 */
export function listUnknownMembers(
  payload: JsonObject,
  metric: Metric | undefined,
  viewWindow: ViewWindow | undefined,
): readonly ViolationDetails[] {
  if (metric === undefined || viewWindow === undefined) return findWrapper(payload) ?? []
  const page = metricWindowOf(metric, viewWindow)
  if (checks[page](payload)) return []
  const meant = new Map(findUnknownMembers(payload, metric, viewWindow)?.map((finding) => [finding.path, finding]))
  const found = new Map<string, { readonly pointer: string; readonly name: string; readonly others: number[] }>()
  visitObjects(payload, getNames(page), '', (members, { names }, path) => {
    for (const name in members) {
      const pointer = path + toPointer([name])
      if (names.includes(name) || pointer === editorMember) continue
      const place = toPlace(pointer)
      const known = found.get(place)
      if (known !== undefined) known.others.push(Number(/\/(\d+)\/[^/]*$/.exec(pointer)?.[1]))
      else if (found.size < maxUnknown) found.set(place, { pointer, name, others: [] })
    }
  })
  return [...found.values()].map(
    ({ pointer, name, others }) =>
      meant.get(pointer) ?? {
        path: pointer,
        message: `${nameMember(pointer)} is unknown and ignored.${listPlaces(others)}`,
        expected: 'a member that the contract names',
        actual: describeValue(name),
      },
  )
}

/** Finds the member of a payload without a metric that has one: the payload is probably in it. */
function findWrapper(payload: JsonObject): readonly ViolationDetails[] | undefined {
  const name = Object.keys(payload).find((one) => isJsonObject(payload[one]) && Object.hasOwn(payload[one], 'metric'))
  if (name === undefined) return undefined
  const pointer = toPointer([name])
  const message = `${nameMember(pointer)} is unknown and ignored, but seems to hold the payload; send that without the object around it.`
  return [{ path: pointer, message, expected: 'the members of the payload', actual: describeValue(name) }]
}

/** The member by which a file names its JSON Schema to an editor. */
const editorMember = '/$schema'
/** A payload of nothing but odd names is not worth more. */
const maxFindings = 20
const maxUnknown = 200
const maxVerdicts = 2000
const checks: Readonly<Record<MetricWindow, KnownCheck>> = knownChecks
const namesByPage = new Map<MetricWindow, KnownNames>()
/** Known names near an unknown one, by place and name. */
const verdicts = new Map<KnownNames, Map<string, string | undefined>>()

function getNames(page: MetricWindow): KnownNames {
  const known = namesByPage.get(page) ?? toNames(memberNames[page])
  namesByPage.set(page, known)
  return known
}

function toNames(tree: NameTree): KnownNames {
  const below = Object.entries(tree).flatMap(([name, part]) => (part === null ? [] : [[name, toNames(part)] as const]))
  return { names: Object.keys(tree), below }
}

type VisitObject = (members: JsonObject, known: KnownNames, path: string) => void

/** Calls back for each object of a payload that the contract names, itself first, with the names known in it and its pointer. */
function visitObjects(members: JsonObject, known: KnownNames, path: string, visit: VisitObject): void {
  visit(members, known, path)
  for (const [name, below] of known.below) {
    const child = members[name]
    if (isJsonObject(child)) visitObjects(child, below, `${path}/${name}`, visit)
    if (!Array.isArray(child)) continue
    for (const [index, element] of child.slice(0, maxUnknown).entries()) {
      if (isJsonObject(element)) visitObjects(element, below, `${path}/${name}/${index}`, visit)
    }
  }
}

function reportUnknown(members: JsonObject, known: KnownNames, path: string, findings: ViolationDetails[]): void {
  let unknown = 0
  for (const name in members) {
    if (known.names.includes(name)) continue
    if (++unknown > maxUnknown || findings.length >= maxFindings) return
    report(members, name, known, path, findings)
  }
}

function report(
  members: JsonObject,
  name: string,
  known: KnownNames,
  path: string,
  findings: ViolationDetails[],
): void {
  const near = findNear(name, known)
  if (near !== undefined && members[near] !== undefined) return
  const other = near === undefined ? findMeantMember(members, name, known.names, path) : undefined
  const meant = near ?? other?.name
  if (meant === undefined) return
  const pointer = path + toPointer([name])
  // A name that is wrong in one entry of an array is mostly wrong in all of them.
  if (other !== undefined && findings.some((finding) => toPlace(finding.path) === toPlace(pointer))) return
  const pages = other?.pages ?? []
  const state =
    pages.length === 0
      ? `is unknown and ignored, and ${meant} is missing; rename it if that is meant`
      : `belongs to ${listWords(pages, 'and')}; here it is ignored, and ${meant} is missing`
  findings.push({
    path: pointer,
    message: `${nameMember(pointer)} ${state}.`,
    expected: meant,
    actual: describeValue(name),
  })
}

const toPlace = (path: string) => path.replaceAll(/\/\d+(?=\/)/g, '')

function findNear(name: string, known: KnownNames): string | undefined {
  const cache = verdicts.get(known) ?? new Map<string, string | undefined>()
  verdicts.set(known, cache)
  if (cache.has(name)) return cache.get(name)
  if (cache.size >= maxVerdicts) cache.clear()
  const near = known.names.find((candidate) => isNear(name, candidate))
  cache.set(name, near)
  return near
}

/** The member that an unknown member seems to be meant for. */
interface Meant {
  /** The known member that is missing next to it. */
  readonly name: string
  /** The pages that know the unknown member by its name, such as "activity by day"; empty if no page does. */
  readonly pages: readonly string[]
}

/**
 * Finds the member that an unknown member is meant for: one that is missing next to it and has the same words. In
 * `metrics`, one that the main number or a daily array of the page needs; also if the unknown member is such a member of
 * another page. Returns `undefined` if the page has what it needs, or if the unknown member holds no number except 0, as
 * old placeholders do.
 */
function findMeantMember(members: JsonObject, name: string, known: readonly string[], path: string): Meant | undefined {
  const isMetric = path.startsWith('/metrics')
  const needed = isMetric ? known.filter((one) => neededNames.has(one)) : known
  const missing = needed.filter((one) => members[one] === undefined)
  const [first] = missing
  const isSent = isMetric ? holdsNumber(members[name]) : members[name] !== null
  if (first === undefined || !isSent) return undefined
  const pages = findPages(path, name)
  const alike = missing.find((one) => isAlike(name, one))
  if (alike !== undefined) return { name: alike, pages }
  return pages.length > 0 && neededNames.has(name) && missing.length === needed.length
    ? { name: first, pages }
    : undefined
}

/** The members that hold the main number of a page, a daily array or the value of a day. */
const neededNames = new Set([
  ...['activityTime', 'activityMinutes', 'averageDailyActivityMinutes', 'dailyActivityMinutes'],
  ...['night', 'nightRest', 'minutes', 'averageMinutes', 'nightlyRestDurations', 'deepRestMinutes'],
  ...['Hr', 'Rmssd', 'Rr'].flatMap((infix) => [
    ...[`nightRest${infix}Average`, `allDayRest${infix}Average`],
    ...[`dailyNightRest${infix}`, `dailyAllDayRest${infix}`],
  ]),
  ...['value', 'barkDurationSeconds', 'averageDailyBarkDurationSeconds', 'dailyBarkDurations'],
])
/** Words that say nothing but that there is a number. */
const generalNames = new Set(['value', 'average', 'duration', 'minutes'])
/** Other words for those of the contract. Units are one word: a value in another one is meant for the same member. */
const synonyms = new Map(
  Object.entries({
    average: ['avg', 'mean', 'median'],
    percent: ['pct', 'percentage'],
    minutes: ['mins', 'seconds', 'secs', 'sec', 'ms', 'millis', 'hours', 'hrs'],
    ...{ lower: ['min'], upper: ['max'], judged: ['rated'] },
  }).flatMap(([word, others]) => others.map((other) => [other, word] as const)),
)

/**
 * Checks whether a name is general, has only words of the other name, or differs in few words that are not the last.
 */
function isAlike(name: string, needed: string): boolean {
  const [words, others] = [toWords(name), toWords(needed)]
  if (generalNames.has(words.join())) return /Average$|Minutes$|Seconds$|^(value|minutes)$/.test(needed)
  const shared = words.filter((word) => others.includes(word)).length
  if (shared === words.length) return true
  return words.length === others.length && words.at(-1) === others.at(-1) && shared * 3 >= words.length * 2
}

const toWords = (name: string) =>
  name
    .slice(0, 64)
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[_\- ]+/)
    .map((word) => synonyms.get(word) ?? word)

/** More than a daily array or a block of facts has. */
const maxValues = 31

/** Checks whether a value is a number above 0, or an object or array with one in it or one level below. */
function holdsNumber(value: unknown, levels = 2): boolean {
  if (typeof value === 'number') return value > 0
  if (levels === 0 || typeof value !== 'object' || value === null) return false
  return Object.values(value)
    .slice(0, maxValues)
    .some((part) => holdsNumber(part, levels - 1))
}

/** Returns the pages that know a name at a place, in any entry of an array. */
function findPages(path: string, name: string): readonly string[] {
  const place = readPointer(path).filter((part) => !/^\d+$/.test(part))
  return Object.entries(memberNames as Readonly<Record<string, NameTree>>)
    .filter(([, tree]) => {
      const names = place.reduce<NameTree | null | undefined>((at, part) => at?.[part], tree)
      return isJsonObject(names) && Object.hasOwn(names, name)
    })
    .map(([page]) => page.replace('-day', ' by day').replace('-period', ' by week and month'))
}
