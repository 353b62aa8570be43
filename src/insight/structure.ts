import { envelope, metricValidators, requirements, windowValidators } from '../generated/validators.js'
import type { Fault } from './fault.js'
import { findAt, type Members } from './members.js'
import { pageOf } from './page.js'
import type { Metric, ViewWindow, Violation } from './types.js'
import { type Family, familyOf } from './vitals.js'
import { describeValue, nameMember } from './wording.js'

/** The result of the check of the structure: its violations, and the payload without the invalid members. */
export interface Structure {
  readonly violations: readonly Violation[]
  readonly sound: Members
}

interface Validator {
  (payload: Members): boolean
  errors?: Fault[] | null
}

/**
 * Checks types, required members and values, with the schema that metric and window call for.
 * A member has at most one violation; a payload whose metric or window is wrong is checked only for what does not
 * depend on it. `sound` is the payload itself when there is nothing wrong.
 */
export function checkStructure(payload: Members): Structure {
  const faults: Fault[] = []
  for (const validator of chooseValidators(payload.metric, payload.viewWindow)) {
    if (!validator(payload)) faults.push(...(validator.errors ?? []).filter(isFault))
  }
  if (faults.length === 0) return { violations: noViolations, sound: payload }
  const byPath = new Map<string, Fault>()
  for (const fault of faults) if (!byPath.has(fault.path)) byPath.set(fault.path, fault)
  return {
    violations: [...byPath.values()].map((fault) => toViolation(fault, payload)),
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
    const page = pageOf(metric as Metric, viewWindow)
    if (!Object.hasOwn(windowValidators, page)) return chosen
    chosen.push(windowValidators[page])
    const byWindow = validators.get(metric) ?? new Map()
    validators.set(metric, byWindow.set(viewWindow, chosen))
  }
  return chosen
}

const isViewWindow = (value: unknown): value is ViewWindow => value === 'day' || value === 'week' || value === 'month'

/** Branches that serve a node above them have faults without a rule; gaps are left where Ajv took faults back. */
const isFault = (fault: Fault | undefined): fault is Fault => fault !== undefined && fault.requirement !== 0

function toViolation({ path, requirement }: Fault, payload: Members): Violation {
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
function withoutMembers(payload: Members, paths: readonly string[]): Members {
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
