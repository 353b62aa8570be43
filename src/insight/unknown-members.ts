import { knownChecks, memberNames } from '../generated/validators.js'
import { isNear, listWords } from '../text/spelling.js'
import { describeValue, listPlaces, nameMember } from './describe-value.js'
import { isJsonObject, type JsonObject, type NameTree } from './json-object.js'
import type { KnownCheck } from './known-member-checks.js'
import { type MetricWindow, metricWindowOf } from './metric-window.js'
import { findMeantMember } from './misplaced-members.js'
import type { ViolationDetails } from './rules/rule.js'
import type { Metric, ViewWindow } from './types.js'

/** The names known at one place, and those among them with something known below. */
interface KnownNames {
  readonly names: readonly string[]
  readonly below: readonly (readonly [name: string, names: KnownNames])[]
}

/**
 * Finds members whose name is unknown and nearly that of a known member that is missing next to them: it differs in
 * upper and lower case, in underscores and hyphens, or in one or two letters; in `metrics` also those that seem to be
 * meant for a member that the page needs. All other unknown members are ignored without a message.
 */
export function findUnknownMembers(
  payload: JsonObject,
  metric: Metric | undefined,
  viewWindow: ViewWindow | undefined,
): readonly ViolationDetails[] | undefined {
  if (metric === undefined || viewWindow === undefined) return undefined
  const page = metricWindowOf(metric, viewWindow)
  if (checks[page](payload)) return undefined
  const findings: ViolationDetails[] = []
  search(payload, getNames(page), '', findings)
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
  if (metric === undefined || viewWindow === undefined) return []
  const page = metricWindowOf(metric, viewWindow)
  if (checks[page](payload)) return []
  const meant = new Map(findUnknownMembers(payload, metric, viewWindow)?.map((finding) => [finding.path, finding]))
  const found = new Map<string, { readonly pointer: string; readonly name: string; readonly others: number[] }>()
  collect(payload, getNames(page), '', (pointer, name) => {
    const place = toPlace(pointer)
    const known = found.get(place)
    if (known !== undefined) known.others.push(Number(/\/(\d+)\/[^/]*$/.exec(pointer)?.[1]))
    else if (found.size < maxUnknown) found.set(place, { pointer, name, others: [] })
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

/** Calls back for each unknown member, with its pointer and name. */
function collect(
  members: JsonObject,
  known: KnownNames,
  path: string,
  onUnknown: (pointer: string, name: string) => void,
) {
  for (const name in members) {
    if (!known.names.includes(name)) onUnknown(`${path}/${escapePart(name)}`, name)
  }
  for (const [name, below] of known.below) {
    const child = members[name]
    const children = Array.isArray(child) ? child.slice(0, maxUnknown).entries() : [['', child] as const]
    for (const [index, part] of children) {
      if (isJsonObject(part)) collect(part, below, `${path}/${name}${index === '' ? '' : `/${index}`}`, onUnknown)
    }
  }
}

const escapePart = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1')

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

function search(members: JsonObject, known: KnownNames, path: string, findings: ViolationDetails[]): void {
  reportUnknown(members, known, path, findings)
  for (const [name, below] of known.below) {
    const child = members[name]
    if (isJsonObject(child)) search(child, below, `${path}/${name}`, findings)
    else if (Array.isArray(child)) searchElements(child, below, `${path}/${name}`, findings)
  }
}

function searchElements(
  elements: readonly unknown[],
  known: KnownNames,
  path: string,
  findings: ViolationDetails[],
): void {
  for (const [index, element] of elements.slice(0, maxUnknown).entries()) {
    if (isJsonObject(element)) search(element, known, `${path}/${index}`, findings)
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
  const pointer = `${path}/${escapePart(name)}`
  // A name that is wrong in one entry of an array is mostly wrong in all of them.
  if (other !== undefined && findings.some((finding) => toPlace(finding.path) === toPlace(pointer))) return
  const pages = other?.pages ?? []
  const [isOf, advice] =
    pages.length === 0 ? ['unknown', '; rename it if that is meant'] : [`of ${listWords(pages, 'and')}`, ' here']
  findings.push({
    path: pointer,
    message: `${nameMember(pointer)} is ${isOf} and ignored, and ${meant} is missing${advice}.`,
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
