import { countKnown, memberNames } from '../generated/validators.js'
import { isNear, listWords } from '../spelling.js'
import { isMembers, type Members } from './members.js'
import { findMeantMember } from './misplaced-members.js'
import type { Finding } from './rules/rule.js'
import type { Metric, ViewWindow } from './types.js'
import { describeValue, nameMember } from './wording.js'

/** The names known at one place, and those among them with something known below. */
interface Names {
  readonly names: readonly string[]
  readonly below: readonly (readonly [name: string, names: Names])[]
  /** How many of the names an object has. */
  readonly count: (members: Members) => number
}
type NameTree = { readonly [name: string]: NameTree | null }

/**
 * Members whose name is unknown and nearly that of a known member which is missing beside them: by upper and lower case,
 * by underscores and hyphens, or by one or two letters; in `metrics` also those that seem to be meant for a member that
 * the page needs. All other unknown members are ignored in silence.
 */
export function findUnknownMembers(
  payload: Members,
  metric: Metric | undefined,
  viewWindow: ViewWindow | undefined,
): readonly Finding[] | undefined {
  const known = metric === undefined || viewWindow === undefined ? undefined : getNames(metric, viewWindow)
  if (known === undefined) return undefined
  const findings: Finding[] = []
  search(payload, known, '', findings)
  return findings.length === 0 ? undefined : findings
}

/** A payload of nothing but odd names is not worth more. */
const maxFindings = 20
const maxUnknown = 200
const maxVerdicts = 2000
const namesByKind = { day: new Map<Metric, Names>(), period: new Map<Metric, Names>() }
/** Known names near an unknown one, by place and name. */
const verdicts = new Map<Names, Map<string, string | undefined>>()

function getNames(metric: Metric, viewWindow: ViewWindow): Names {
  const kind = viewWindow === 'day' ? 'day' : 'period'
  const known = namesByKind[kind].get(metric)
  if (known !== undefined) return known
  const names = toNames(memberNames[`${metric}-${kind}`])
  namesByKind[kind].set(metric, names)
  return names
}

function toNames(tree: NameTree): Names {
  const names = Object.keys(tree)
  const below = Object.entries(tree).flatMap(([name, part]) => (part === null ? [] : [[name, toNames(part)] as const]))
  const count = (countKnown as Readonly<Record<string, Names['count']>>)[names.join()] ?? (() => 0)
  return { names, below, count }
}

function search(members: Members, known: Names, path: string, findings: Finding[]): void {
  const count = known.count(members)
  if (count < known.names.length && hasMore(members, count)) reportUnknown(members, known, path, findings)
  for (const [name, below] of known.below) {
    const child = members[name]
    if (isMembers(child)) search(child, below, `${path}/${name}`, findings)
    else if (Array.isArray(child)) searchElements(child, below, `${path}/${name}`, findings)
  }
}

/** An element with all that is known of it, as most have, is not worth its path. */
function searchElements(elements: readonly unknown[], known: Names, path: string, findings: Finding[]): void {
  for (let index = 0; index < elements.length && index < maxUnknown; index++) {
    const element = elements[index]
    if (!isMembers(element) || (known.below.length === 0 && known.count(element) === known.names.length)) continue
    search(element, known, `${path}/${index}`, findings)
  }
}

function hasMore(members: Members, count: number): boolean {
  let found = 0
  for (const _ in members) if (++found > count) return true
  return false
}

function reportUnknown(members: Members, known: Names, path: string, findings: Finding[]): void {
  let unknown = 0
  for (const name in members) {
    if (known.names.includes(name)) continue
    if (++unknown > maxUnknown || findings.length >= maxFindings) return
    report(members, name, known, path, findings)
  }
}

function report(members: Members, name: string, known: Names, path: string, findings: Finding[]): void {
  const near = findNear(name, known)
  if (near !== undefined && members[near] !== undefined) return
  const other = near === undefined ? findMeantMember(members, name, known.names, path) : undefined
  const meant = near ?? other?.name
  if (meant === undefined) return
  const pointer = `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
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

function findNear(name: string, known: Names): string | undefined {
  const cache = verdicts.get(known) ?? new Map<string, string | undefined>()
  verdicts.set(known, cache)
  if (cache.has(name)) return cache.get(name)
  if (cache.size >= maxVerdicts) cache.clear()
  const near = known.names.find((candidate) => isNear(name, candidate))
  cache.set(name, near)
  return near
}
