import type { RequestEntry, RuleHit, TaskEntry } from './request-log.js'

/** Parses the line of a call. Returns undefined for other lines, such as one that a crash truncated. */
export function parseRequestEntry(line: string): RequestEntry | undefined {
  const value = parseLine(line)
  return fits<RequestEntry>(value, requestTests) ? value : undefined
}

/** Parses the line of a unit's event. Returns undefined for other lines. */
export function parseTaskEntry(line: string): TaskEntry | undefined {
  const value = parseLine(line)
  return fits<TaskEntry>(value, taskTests) ? value : undefined
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

type FieldTest = (value: unknown) => boolean

const isText: FieldTest = (value) => typeof value === 'string'
const isNumber: FieldTest = (value) => typeof value === 'number'
const optional =
  (test: FieldTest): FieldTest =>
  (value) =>
    value === undefined || test(value)
const isHit: FieldTest = (value) =>
  isRecord(value) && Object.entries(hitTests).every(([name, test]) => test(value[name]))
const areHits: FieldTest = (value) => Array.isArray(value) && value.every(isHit)

const hitTests: Readonly<Record<keyof RuleHit, FieldTest>> = {
  rule: isText,
  path: isText,
  expected: optional(isText),
  found: optional(isText),
}

const requestTests: Readonly<Record<keyof RequestEntry, FieldTest>> = {
  time: isText,
  request_id: isText,
  caller_request_id: optional(isText),
  call_id: optional(isText),
  trace_id: optional(isText),
  method: isText,
  path: isText,
  status: isNumber,
  duration_ms: isNumber,
  key_id: optional(isText),
  key_name: optional(isText),
  instance: optional(isText),
  violations: optional(areHits),
  warnings: optional(areHits),
  fault: optional(isText),
  error: () => true,
}

const taskTests: Readonly<Record<keyof TaskEntry, FieldTest>> = {
  time: isText,
  event: isText,
  provider: optional(isText),
  task_id: optional(isText),
  request_id: optional(isText),
  trace_id: optional(isText),
  unit: optional(isText),
  attempt: optional(isNumber),
  duration_ms: optional(isNumber),
  code: optional(isText),
  delay_ms: optional(isNumber),
  fault: optional(isText),
  error: () => true,
}

function fits<T>(value: unknown, tests: Readonly<Record<string, FieldTest>>): value is T {
  return isRecord(value) && Object.entries(tests).every(([name, test]) => test(value[name]))
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
