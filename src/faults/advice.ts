import { type FaultFieldName, faultFieldNames } from '../contract/faults.js'
import { findNearest, listWords } from '../text/spelling.js'
import { guessDuration } from '../text/time.js'
import { faultFields, listRoutes, type NameField } from './fields.js'

/** The names that other tools and our own API use for the fields. */
const otherNames = new Map<string, FaultFieldName>([
  ['key', 'caller'],
  ['api-key', 'caller'],
  ['path', 'route'],
  ['user-id', 'user'],
  ['pet-id', 'pet'],
  ['task-id', 'task'],
  ['scene-id', 'scene'],
  ['model', 'alias'],
  ['error-code', 'code'],
])

/** Returns a sentence about a name that is not a field. */
export function adviseName(text: string): string {
  const name = text.replaceAll('_', '-')
  const nearest = otherNames.get(name) ?? findNearest(name, faultFieldNames) ?? findAssignment(text)
  return nearest === undefined ? `The fields are ${listWords(faultFieldNames, 'and')}.` : `Did you mean ${nearest}?`
}

/** Reads a value without its field, such as `503`, or with another sign than `=`, such as `status: 503`. */
function findAssignment(text: string): string | undefined {
  const [, before, after] = /^([\w-]+)[ :]+(.+)$/.exec(text) ?? []
  const named = faultFieldNames.find((name) => name === before)
  if (named !== undefined) return `${named}=${after}`
  const field = faultFieldNames.find((name) => 'choices' in faultFields[name] && faultFields[name].accepts(text))
  return field && `${field}=${text}`
}

/** Returns a sentence about a value that a field does not accept; empty if there is no better value to name. */
export function adviseValue(name: FaultFieldName, text: string, nameOf: NameField): string {
  const advice = advisers[name]?.(text, nameOf)
  if (advice !== undefined) return advice
  const { choices } = faultFields[name]
  // The nearest number is nearest by its digits only.
  return ask(choices === undefined || /^\d+$/.test(text) ? undefined : findNearest(text, choices()))
}

function ask(value: string | undefined): string {
  return value === undefined ? '' : `Did you mean ${JSON.stringify(value)}?`
}

type Advise = (text: string, nameOf: NameField) => string | undefined

const advisers: Readonly<Partial<Record<FaultFieldName, Advise>>> = {
  route: adviseRoute,
  pose: (text, nameOf) => (text === 'all' ? `Leave ${nameOf('pose')} out for all poses.` : undefined),
  share: (text) => ask(findShare(Number(text))),
  delay: (text) => ask(findTime(text, faultFields.delay.accepts)),
  stall: (text) => ask(findTime(text, faultFields.stall.accepts)),
  slow: (text) => ask(findTime(text, faultFields.slow.accepts)),
  for: (text) => ask(findTime(text, faultFields.for.accepts)),
}

/** Names the route of a path that a client calls, and the field for the task in it. */
function adviseRoute(text: string, nameOf: NameField): string {
  const [, ownMethod = '', path = ''] = /^(?:([A-Za-z]+) +)?(?:https?:\/\/[^/]*)?([^ ?]*)/.exec(text) ?? []
  const method = ownMethod.toUpperCase()
  if (path.startsWith('/_svc/')) return 'No rule applies to the routes of /_svc.'
  const routes = listRoutes()
  const fitting = routes.filter((route) => toPathPattern(route).test(path))
  const route = fitting.find((each) => each.startsWith(`${method} `)) ?? fitting[0]
  if (route !== undefined) {
    const [, task] = route.endsWith('{task_id}') ? (toPathPattern(route).exec(path) ?? []) : []
    return `Did you mean ${JSON.stringify(route)}${isId(task) ? `, and ${nameOf('task')} ${task}` : ''}?`
  }
  const nearest = findNearest(`${method} ${path}`, routes)
  const related = nearest === undefined ? listRelated(method, path) : [nearest]
  if (related.length > 0)
    return `Did you mean ${listWords(
      related.map((each) => JSON.stringify(each)),
      'or',
    )}?`
  return 'A path may end with *, such as "/v1/*".'
}

function toPathPattern(route: string): RegExp {
  const path = route.replace(/^\w+ /, '').replace('{key}', '.+')
  return new RegExp(`^${path.replaceAll(/\{\w+\}/g, '([^/]+)')}$`)
}

/** False for a placeholder, such as `{id}` or `:id`. */
function isId(segment: string | undefined): boolean {
  return segment !== undefined && /^[^{:<]/.test(segment)
}

/** Lists the routes that have a word of the path, such as `tasks`. */
function listRelated(method: string, path: string): readonly string[] {
  const words = path.split('/').filter((word) => word.length > 2)
  const routes = listRoutes().filter((route) => words.some((word) => route.split('/').includes(word)))
  const own = routes.filter((route) => route.startsWith(`${method} `))
  return own.length > 0 ? own : routes
}

/** Reads a number as a percentage, or as a part of one if it is below 1. */
function findShare(number: number): string | undefined {
  const share = `${number < 1 ? Math.round(number * 1000) / 10 : number}%`
  return faultFields.share.accepts(share) ? share : undefined
}

/** Reads a time without its unit, or one that is written in another way, such as `8`, `8 s` or `5min`. */
function findTime(text: string, accepts: (time: string) => boolean): string | undefined {
  const time = guessDuration(/\d$/.test(text) ? `${text}s` : text, 'ms')
  return time !== undefined && accepts(time) ? time : undefined
}
