import { envelope, memberNames, metricValidators, windowValidators } from '../generated/validators.js'
import { findAt } from '../text/json-location.js'
import { describeValue, nameMember } from './describe-value.js'
import type { JsonObject, NameTree } from './json-object.js'
import type { Metric, ViewWindow, Violation } from './types.js'
import { type Family, familyOf, metricWindowOf } from './vitals.js'

/** A node of the payload's schema. A node that only serves the one above it has no rule. */
interface RuledSchema {
  readonly properties?: Readonly<Record<string, RuledSchema>>
  /** The rule that its violations break. */
  readonly $comment?: string
  /** The rule that is broken if the member is missing, if it is another one. */
  readonly missing?: string
  readonly expected?: string
}

/** An error of Ajv, as its option `verbose` completes it. */
interface StructureError {
  readonly instancePath: string
  readonly params: { readonly missingProperty?: string }
  readonly parentSchema: RuledSchema
}

interface Validator {
  (payload: JsonObject): boolean
  errors?: StructureError[] | null
}

/** One wrong member repeated thousands of times in a long array says no more than the first ones. */
const maxErrors = 200

/**
 * Checks types, required members and values, with the schema that metric and window call for.
 * A member has at most one violation; a payload whose metric or window is wrong is checked only for what does not
 * depend on it. `sound` is the payload without its invalid members, or itself.
 */
export function checkStructure(payload: JsonObject) {
  const broken = new Map<string, Requirement>()
  for (const validator of chooseValidators(payload.metric, payload.viewWindow)) {
    if (validator(payload)) continue
    for (const error of (validator.errors ?? []).slice(0, maxErrors)) addRequirement(broken, error)
  }
  if (broken.size === 0) return { violations: noViolations, sound: payload }
  return {
    violations: [...broken].map(([path, requirement]) => toViolation(path, requirement, payload)),
    sound: withoutMembers(
      payload,
      [...broken.keys()].filter((path) => findAt(payload, path) !== undefined),
    ),
  }
}

interface Requirement {
  readonly rule: string
  readonly expected: string
}

/** Adds the requirement that an error breaks, unless its member breaks another one already. */
function addRequirement(
  broken: Map<string, Requirement>,
  { instancePath, params, parentSchema }: StructureError,
): void {
  const name = params.missingProperty
  const path = name === undefined ? instancePath : `${instancePath}/${name}`
  const node = name === undefined ? parentSchema : parentSchema.properties?.[name]
  if (node?.$comment === undefined || broken.has(path)) return
  const rule = name === undefined ? node.$comment : (node.missing ?? node.$comment)
  broken.set(path, { rule, expected: node.expected ?? '' })
}

const noViolations: readonly Violation[] = []
const validators = new Map<unknown, Map<unknown, readonly Validator[]>>()

function chooseValidators(metric: unknown, viewWindow: unknown): readonly Validator[] {
  const known = validators.get(metric)?.get(viewWindow)
  if (known !== undefined) return known
  const chosen: Validator[] = [envelope]
  const family = typeof metric === 'string' ? familyOf(metric as Metric) : ''
  if (Object.hasOwn(metricValidators, family)) {
    chosen.push(metricValidators[family as Family])
    if (!isViewWindow(viewWindow)) return chosen
    const metricWindow = metricWindowOf(metric as Metric, viewWindow)
    if (!Object.hasOwn(windowValidators, metricWindow)) return chosen
    chosen.push(windowValidators[metricWindow])
    const byWindow = validators.get(metric) ?? new Map()
    validators.set(metric, byWindow.set(viewWindow, chosen))
  }
  return chosen
}

const isViewWindow = (value: unknown): value is ViewWindow => value === 'day' || value === 'week' || value === 'month'

function toViolation(path: string, { rule, expected }: Requirement, payload: JsonObject): Violation {
  const value = findAt(payload, path)
  const actual = describeValue(value, path)
  const name = nameMember(path)
  const message =
    value === undefined
      ? `${name} is missing; it must be ${expected}.`
      : `${name} is ${actual}, but must be ${expected}.`
  return { path, rule, message, expected, actual }
}

/** A copy of a payload without some members; elements of arrays become null, so that the others keep their place. */
function withoutMembers(payload: JsonObject, paths: readonly string[]): JsonObject {
  if (paths.length === 0) return payload
  const root = copyObject(payload)
  const copies = new Set<unknown>([root])
  for (const path of paths) {
    const names = path.split('/').slice(1)
    const last = names.pop() ?? ''
    let parent: Record<string, unknown> | undefined = root
    for (const name of names) parent = parent === undefined ? undefined : copyMember(parent, name, copies)
    if (Array.isArray(parent)) parent[Number(last)] = null
    else if (parent !== undefined) delete parent[last]
  }
  return root
}

function copyMember(
  parent: Record<string, unknown>,
  name: string,
  copies: Set<unknown>,
): Record<string, unknown> | undefined {
  const child = parent[name]
  if (typeof child !== 'object' || child === null) return undefined
  if (copies.has(child)) return child as Record<string, unknown>
  const copy = Array.isArray(child) ? [...child] : copyObject(child as JsonObject)
  copies.add(copy)
  parent[name] = copy
  return copy as Record<string, unknown>
}

/** The names of the contract, on any page. */
const knownNames = new Set<string>()
/** More unknown members than any rule looks at; a copy of 100,000 takes longer than all rules. */
const unknownKept = 1000

function copyObject(members: JsonObject): Record<string, unknown> {
  const copy: Record<string, unknown> = {}
  let unknown = 0
  for (const name in members) {
    // An assignment to `__proto__` would not add a member.
    if (name !== '__proto__' && (isKnownName(name) || ++unknown <= unknownKept)) copy[name] = members[name]
  }
  return copy
}

/** Checks whether a member of any page has this name. */
export function isKnownName(name: string): boolean {
  if (knownNames.size === 0) collectNames(memberNames as NameTree)
  return knownNames.has(name)
}

function collectNames(tree: NameTree): void {
  for (const [name, below] of Object.entries(tree)) {
    knownNames.add(name)
    if (below !== null) collectNames(below)
  }
}
