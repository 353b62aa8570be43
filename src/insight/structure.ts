import { envelope, metricValidators, requirements, windowValidators } from '../generated/validators.js'
import { findAt, type JsonObject } from './json-object.js'
import { metricWindowOf } from './metric-window.js'
import type { StructureError } from './structure-error.js'
import type { Metric, ViewWindow, Violation } from './types.js'
import { type Family, familyOf } from './vitals.js'
import { describeValue, nameMember } from './wording.js'

/** The result of the check of the structure: its violations, and the payload without the invalid members. */
export interface Structure {
  readonly violations: readonly Violation[]
  readonly sound: JsonObject
}

interface Validator {
  (payload: JsonObject): boolean
  errors?: StructureError[] | null
}

/**
 * Checks types, required members and values, with the schema that metric and window call for.
 * A member has at most one violation; a payload whose metric or window is wrong is checked only for what does not
 * depend on it. `sound` is the payload itself when there is nothing wrong.
 */
export function checkStructure(payload: JsonObject): Structure {
  const found: StructureError[] = []
  for (const validator of chooseValidators(payload.metric, payload.viewWindow)) {
    if (!validator(payload)) found.push(...(validator.errors ?? []).filter(isReported))
  }
  if (found.length === 0) return { violations: noViolations, sound: payload }
  const byPath = new Map<string, StructureError>()
  for (const error of found) if (!byPath.has(error.path)) byPath.set(error.path, error)
  return {
    violations: [...byPath.values()].map((error) => toViolation(error, payload)),
    sound: withoutMembers(payload, [...byPath.keys()]),
  }
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

/** Branches that serve a node above them have errors without a rule; gaps are left where Ajv took errors back. */
const isReported = (error: StructureError | undefined): error is StructureError =>
  error !== undefined && error.requirement !== 0

function toViolation({ path, requirement }: StructureError, payload: JsonObject): Violation {
  const { rule, expected } = requirements[requirement] ?? { rule: '', expected: '' }
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
  const root = { ...payload }
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
  const copy = Array.isArray(child) ? [...child] : { ...child }
  copies.add(copy)
  parent[name] = copy
  return copy as Record<string, unknown>
}
