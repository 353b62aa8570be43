import { readPointer } from '../text/json-location.js'
import { isJsonObject, type JsonObject } from './json-object.js'
import { isComplete, readPage, readPayload, type ValidReading } from './reading.js'
import { unknownMemberRule } from './rules/envelope.js'
import { rulesFor } from './rules/index.js'
import type { ViolationDetails } from './rules/rule.js'
import { checkStructure } from './structure.js'
import type { Validation, Violation } from './types.js'
import { listUnknownMembers } from './unknown-members.js'

/**
 * Checks a parsed payload against every rule and returns all violations, each with a JSON Pointer and a sentence, in
 * the order of the payload. Errors make it invalid; warnings do not. One cause gives one violation: an error that
 * follows from an invalid member is not reported again.
 * Never throws, for any value; does not read the clock; does not change the payload.
 * Source: health detail contract, 2 and 4.
 */
export function validate(payload: unknown): Validation {
  const { errors, warnings } = interpret(payload)
  return { errors, warnings }
}

/** The treatment of unknown members: a warning or error for each of them, or no violation. */
export type UnknownMembers = (typeof unknownMemberModes)[number]
export const unknownMemberModes = ['warn', 'error', 'ignore'] as const

/** Does what `validate` does, with all unknown members instead of those that a known one is missing for. */
export function validateUnknown(payload: unknown, unknown: UnknownMembers): Validation {
  const { errors, warnings } = validate(payload)
  if (!isJsonObject(payload)) return { errors, warnings }
  const others = warnings.filter(({ rule }) => rule !== unknownMemberRule)
  const { metric, viewWindow } = readPage(payload)
  const found = unknown === 'ignore' ? [] : listUnknownMembers(payload, metric, viewWindow)
  const members = found.map((finding) => toViolation(unknownMemberRule, finding))
  return unknown === 'error'
    ? { errors: inPayloadOrder([...errors, ...members], payload), warnings: others }
    : { errors, warnings: inPayloadOrder([...others, ...members], payload) }
}

/** True if a payload has unknown members that the warnings of `validate` do not name. */
export function ignoresMembers(payload: unknown, { warnings }: Validation): boolean {
  if (!isJsonObject(payload)) return false
  const { metric, viewWindow } = readPage(payload)
  const named = warnings.flatMap(({ rule, path }) => (rule === unknownMemberRule ? [path] : []))
  return listUnknownMembers(payload, metric, viewWindow).some(({ path }) => !named.includes(path))
}

/** The result of `validate`, and the reading of a payload without errors, for `renderInsight`. */
export interface Interpretation extends Validation {
  readonly reading: ValidReading | undefined
  /** The errors of the structure: their `expected` is a text of the schema, without any value of the payload. */
  readonly structural: ReadonlySet<Violation>
}

/** Does what `validate` does, and returns the reading that the rules had, so that the payload is read once. */
export function interpret(payload: unknown): Interpretation {
  if (!isJsonObject(payload)) {
    const error = notAnObject(payload)
    return { errors: [error], warnings: [], reading: undefined, structural: new Set([error]) }
  }
  const { violations, sound } = checkStructure(payload)
  const errors: Violation[] = [...violations]
  const warnings: Violation[] = []
  const invalidPaths = violations.length === 0 ? undefined : new Set(violations.map(({ path }) => path))
  const reading = readPayload(sound, invalidPaths)
  for (const rule of rulesFor(reading.metric, reading.viewWindow)) {
    const found = rule.check(reading)
    if (found === undefined) continue
    const target = rule.severity === 'error' ? errors : warnings
    for (const finding of Array.isArray(found) ? found : [found]) target.push(toViolation(rule.id, finding))
  }
  return {
    errors: inPayloadOrder(errors, payload),
    warnings: inPayloadOrder(warnings, payload),
    reading: errors.length === 0 && isComplete(reading) ? reading : undefined,
    structural: new Set(violations),
  }
}

const toViolation = (rule: string, { path, ...finding }: ViolationDetails): Violation => ({ path, rule, ...finding })

function notAnObject(payload: unknown): Violation {
  const actual = Array.isArray(payload) ? 'an array' : payload === null ? 'null' : `a ${typeof payload}`
  const hint =
    typeof payload === 'string' && payload.trimStart().startsWith('{') ? ' It holds JSON: parse it once more.' : ''
  return {
    path: '',
    rule: 'payload-object',
    message: `The payload is ${actual}, but must be a JSON object.${hint}`,
    expected: 'a JSON object',
    actual,
  }
}

/** Sorts by the place of the members in the payload; a missing one comes at the end of its object. */
function inPayloadOrder(violations: Violation[], payload: JsonObject): readonly Violation[] {
  if (violations.length < 2) return violations
  const namesOf = createNamesOf()
  const places = new Map(violations.map((violation) => [violation, findPlace(violation.path, payload, namesOf)]))
  return violations.sort((one, other) => comparePlaces(places.get(one) ?? [], places.get(other) ?? []))
}

/** Returns a function that lists the names of an object once: an object may have 100,000 members. */
function createNamesOf(): (members: JsonObject) => readonly string[] {
  const known = new Map<JsonObject, readonly string[]>()
  return (members) => {
    const names = known.get(members) ?? Object.keys(members)
    known.set(members, names)
    return names
  }
}

function findPlace(
  path: string,
  payload: JsonObject,
  namesOf: (members: JsonObject) => readonly string[],
): readonly number[] {
  let value: unknown = payload
  return readPointer(path).map((name) => {
    const members = (typeof value === 'object' && value !== null ? value : {}) as JsonObject
    const index = Array.isArray(value) ? Number(name) : namesOf(members).indexOf(name)
    value = index < 0 ? undefined : members[name]
    return index < 0 ? Number.POSITIVE_INFINITY : index
  })
}

function comparePlaces(one: readonly number[], other: readonly number[]): number {
  for (let level = 0; level < Math.min(one.length, other.length); level++) {
    const [first = 0, second = 0] = [one[level], other[level]]
    if (first !== second) return first < second ? -1 : 1
  }
  return one.length - other.length
}
