import { findNearest, listWords } from '../text/spelling.js'
import { type FaultFieldName, faultFieldNames, faultFields, listRoutes, type NameField, toMs } from './fields.js'

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
export function adviseName(name: string): string {
  const nearest = otherNames.get(name) ?? findNearest(name, faultFieldNames)
  return nearest === undefined ? `The fields are ${listWords(faultFieldNames, 'and')}.` : `Did you mean ${nearest}?`
}

/** Returns a sentence about a value that a field does not accept; empty if there is no better value to name. */
export function adviseValue(name: FaultFieldName, text: string, nameOf: NameField): string {
  const advice = advisers[name]?.(text, nameOf)
  if (advice !== undefined) return advice
  const { choices } = faultFields[name] as { readonly choices?: () => readonly string[] }
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
function adviseRoute(text: string, nameOf: NameField): string | undefined {
  const [, method, path = ''] = /^(?:([A-Z]+) +)?([^ ?]+)/.exec(text) ?? []
  for (const route of listRoutes()) {
    const [ownMethod, ownPath = ''] = route.split(' ')
    if (method !== undefined && method !== ownMethod) continue
    const found = new RegExp(`^${ownPath.replace('{key}', '.+').replaceAll(/\{\w+\}/g, '([^/{}]+)')}$`).exec(path)
    if (found === null || !ownPath.includes('{')) continue
    const task = ownPath.endsWith('{task_id}') ? `, and ${nameOf('task')} ${found[1]}` : ''
    return `Did you mean ${JSON.stringify(route)}${task}?`
  }
  return undefined
}

/** Reads a number as a percentage, or as a part of one if it is below 1. */
function findShare(number: number): string | undefined {
  const share = `${number < 1 ? Math.round(number * 1000) / 10 : number}%`
  return faultFields.share.accepts(share) ? share : undefined
}

/** Reads a time without its unit, with a blank or with a fraction, such as `8`, `8 s` or `1.5s`. */
function findTime(text: string, accepts: (time: string) => boolean): string | undefined {
  const [, count, unit = 's'] = /^(\d+(?:\.\d+)?) *(ms|s|m|h|d)?(?:[a-z]*)$/.exec(text) ?? []
  const ms = Math.round(Number(count) * (toMs(`1${unit}`) ?? 0))
  const time = ms % 1000 === 0 ? `${ms / 1000}s` : `${ms}ms`
  return accepts(time) ? time : undefined
}
