import type { RequestEntry, TaskEntry } from '../log.js'

/** A line that tells of a call; undefined for others, such as one that a crash cut short. */
export function parseRequestEntry(line: string): RequestEntry | undefined {
  const value = parseLine(line)
  return fits<RequestEntry>(value, requestTests) ? value : undefined
}

/** A line that tells of the work on a unit. */
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

type Test = (value: unknown) => boolean

const isText: Test = (value) => typeof value === 'string'
const isNumber: Test = (value) => typeof value === 'number'
const orNone =
  (test: Test): Test =>
  (value) =>
    value === undefined || test(value)
const isHit: Test = (value) => isRecord(value) && isText(value.rule) && isText(value.path)
const areHits: Test = (value) => Array.isArray(value) && value.every(isHit)

const requestTests: Readonly<Record<keyof RequestEntry, Test>> = {
  time: isText,
  request_id: isText,
  caller_request_id: orNone(isText),
  method: isText,
  path: isText,
  status: isNumber,
  duration_ms: isNumber,
  key_id: orNone(isText),
  key_name: orNone(isText),
  violations: orNone(areHits),
  warnings: orNone(areHits),
  error: () => true,
}

const taskTests: Readonly<Record<keyof TaskEntry, Test>> = {
  time: isText,
  event: isText,
  provider: orNone(isText),
  task_id: orNone(isText),
  request_id: orNone(isText),
  unit: orNone(isText),
  attempt: orNone(isNumber),
  duration_ms: orNone(isNumber),
  code: orNone(isText),
  delay_ms: orNone(isNumber),
  error: () => true,
}

function fits<T>(value: unknown, tests: Readonly<Record<string, Test>>): value is T {
  return isRecord(value) && Object.entries(tests).every(([name, test]) => test(value[name]))
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
