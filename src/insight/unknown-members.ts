import { memberNames } from '../generated/validators.js'
import { isMembers, type Members } from './members.js'
import type { Finding } from './rules/rule.js'
import type { Metric, ViewWindow } from './types.js'
import { describeValue, nameMember } from './wording.js'

/** The names known at one place, each with what is known below it. */
interface Names {
  readonly names: readonly string[]
  readonly below: ReadonlyMap<string, Names | null>
  /** Whether nothing is known below any of the names. */
  readonly isFlat: boolean
}
type NameTree = { readonly [name: string]: NameTree | null }

/**
 * Members whose name is unknown and nearly that of a known member which is missing beside them: by upper and lower case,
 * by underscores and hyphens, or by one or two letters. All other unknown members are ignored in silence.
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
/** Longer names are no slip of the pen. */
const nameLengthAtMost = 64
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
  const below = Object.entries(tree).map(([name, part]) => [name, part === null ? null : toNames(part)] as const)
  return { names: Object.keys(tree), below: new Map(below), isFlat: below.every(([, part]) => part === null) }
}

function search(members: Members, known: Names, path: string, findings: Finding[]): void {
  if (known.isFlat && hasAll(members, known.names)) return
  let unknown = 0
  for (const name in members) {
    const below = known.below.get(name)
    if (below === null) continue
    if (below === undefined) {
      if (++unknown <= maxUnknown && findings.length < maxFindings) report(members, name, known, path, findings)
      continue
    }
    const child = members[name]
    if (isMembers(child)) search(child, below, `${path}/${name}`, findings)
    else if (Array.isArray(child)) {
      for (let index = 0; index < child.length && index < maxUnknown; index++) {
        if (isMembers(child[index])) search(child[index], below, `${path}/${name}/${index}`, findings)
      }
    }
  }
}

function hasAll(members: Members, names: readonly string[]): boolean {
  for (const name of names) if (members[name] === undefined) return false
  return true
}

function report(members: Members, name: string, known: Names, path: string, findings: Finding[]): void {
  const meant = findNear(name, known)
  if (meant === undefined || members[meant] !== undefined) return
  const pointer = `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
  findings.push({
    path: pointer,
    message: `${nameMember(pointer)} is unknown and ignored, and ${meant} is missing; rename it if that is meant.`,
    expected: meant,
    actual: describeValue(name),
  })
}

function findNear(name: string, known: Names): string | undefined {
  const cache = verdicts.get(known) ?? new Map<string, string | undefined>()
  verdicts.set(known, cache)
  if (cache.has(name)) return cache.get(name)
  if (cache.size >= maxVerdicts) cache.clear()
  const near = known.names.find((candidate) => isNear(name, candidate))
  cache.set(name, near)
  return near
}

function isNear(name: string, known: string): boolean {
  if (name.length > nameLengthAtMost) return false
  const [one, other] = [toPlain(name), toPlain(known)]
  if (one === other) return true
  const allowed = known.length < 6 ? 1 : 2
  return Math.abs(one.length - other.length) <= allowed && editDistance(one, other) <= allowed
}

const toPlain = (name: string) => name.replaceAll(/[_\- ]/g, '').toLowerCase()

/** Letters to add, leave out or change to get from one text to the other. */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++) {
      const change = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1)
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[other.length] ?? 0
}
