import { type FaultField, type FaultFieldName, faultFieldNames } from '../contract/faults.js'
import { SvcError } from '../errors.js'
import type { CallEffect, FaultMatch, UnitEffect } from '../ports/faults.js'
import { listWords } from '../text/spelling.js'
import { toMs } from '../text/time.js'
import { adviseName, adviseValue } from './advice.js'
import { type FaultFields, faultFields, fitsRoute, type NameField } from './fields.js'

interface RuleParts {
  readonly match: FaultMatch
  readonly delayMs: number
  readonly times: number | null
  readonly every: number
  /** 0 to 1. */
  readonly share: number
  /** Undefined if the rule does not expire. */
  readonly lifeMs: number | undefined
}

/** A rule: what it applies to, what it does, and how often. */
export type FaultRule = RuleParts &
  ({ readonly on: 'call'; readonly effect: CallEffect } | { readonly on: 'unit'; readonly effect: UnitEffect })

export const asFlag: NameField = (name) => `--${name}`
/** `svc exec` writes `--fault:` once, before the whole message. */
export const asPart: NameField = (name) => name
export const asMember: NameField = (name) => `\`${name.replace('-', '_')}\``

const fieldsByName: Readonly<Record<string, FaultField>> = faultFields

/** Reads the compact form, such as `route=POST /v1/pet-avatar/generate,status=503,times=1`. `\,` is a comma in a value. */
export function readCompact(text: string, nameOf: NameField): FaultFields {
  const parts = text.match(/(\\.|[^,\\])+/g) ?? []
  const entries = parts.map((part): [string, string] => {
    const at = part.indexOf('=')
    const value = at === -1 ? 'true' : part.slice(at + 1)
    const [, next] = /[^\\ ] +([\w-]+)=/.exec(value) ?? []
    if (next !== undefined && isFieldName(next)) throw refuse(`Write a comma, not a blank, before ${nameOf(next)}.`)
    return [(at === -1 ? part : part.slice(0, at)).trim(), value.trim().replaceAll(/\\(.)/g, '$1')]
  })
  const twice = entries.find(([name], place) => entries.findIndex(([other]) => other === name) !== place)
  if (twice !== undefined) throw refuse(`${nameOf(twice[0])} is given twice; give it once.`)
  return toFields(Object.fromEntries(entries), nameOf)
}

/** Writes the compact form. */
export function toCompact(fields: Readonly<Record<string, string>>): string {
  return Object.entries(fields)
    .map(([name, value]) =>
      fieldsByName[name]?.value === undefined ? name : `${name}=${value.replaceAll(/[\\,]| (?=[\w-]+=)/g, '\\$&')}`,
    )
    .join(',')
}

/**
 * Checks fields that may have any names and values, and returns them as texts. Throws `invalid_request` that names the first
 * invalid field and its fix.
 */
export function toFields(given: Readonly<Record<string, unknown>>, nameOf: NameField): FaultFields {
  const fields: Record<string, string> = {}
  for (const [key, value] of Object.entries(given)) {
    if (value === undefined || value === null || value === false) continue
    const name = key.replaceAll('_', '-')
    if (!isFieldName(name)) {
      const shown = key.length > 64 ? `${key.slice(0, 64)}…` : key
      throw refuse(`${nameOf(shown)} is not a field of a fault rule. ${adviseName(key)}`)
    }
    const text = toText(name, value)
    if (!faultFields[name].accepts(text)) throw refuse(describeInvalid(name, text, nameOf))
    fields[name] = text
  }
  // In one order, so that the same rule has the same text.
  return Object.fromEntries(faultFieldNames.flatMap((name) => (name in fields ? [[name, fields[name] ?? '']] : [])))
}

function toText(name: FaultFieldName, value: unknown): string {
  if (typeof value === 'object') return JSON.stringify(value)
  // A number of JSON is a percentage. Below 1, it may be meant as a part of 1.
  return name === 'share' && typeof value === 'number' && value >= 1 ? `${value}%` : String(value)
}

/** True if a name is that of a field, and not of a member that all objects have. */
export function isFieldName(name: string): name is FaultFieldName {
  return Object.hasOwn(faultFields, name)
}

function describeInvalid(name: FaultFieldName, text: string, nameOf: NameField): string {
  const { expected } = faultFields[name]
  return `${nameOf(name)} is ${JSON.stringify(text)}; it must be ${expected}. ${adviseValue(name, text, nameOf)}`.trim()
}

/** Makes a rule of checked fields. Throws `invalid_request` for fields that do not fit together. */
export function toRule(fields: FaultFields, nameOf: NameField): FaultRule {
  const given = faultFieldNames.filter((name) => fields[name] !== undefined)
  const of = (part: FaultField['part']) => given.filter((name) => faultFields[name].part === part)
  const [call] = of('call')
  const [unit] = of('unit')
  if (call === undefined && unit === undefined) throw refuse(describeMissing(nameOf))
  if (call !== undefined && unit !== undefined) {
    const [one, other] = [nameOf(call), nameOf(unit)]
    throw refuse(`${one} acts on calls, but ${other} on poses and scenes: make two rules.`)
  }
  if (fields['retry-after'] !== undefined && fields.status === undefined) {
    throw refuse(`${nameOf('retry-after')} needs ${nameOf('status')}.`)
  }
  const { times, every, share } = fields
  const parts: RuleParts = {
    match: toMatch(fields),
    delayMs: toMs(fields.delay ?? fields.slow ?? '') ?? 0,
    times: times === undefined ? null : Number(times),
    every: Number(every ?? 1),
    share: Number.parseFloat(share ?? '100') / 100,
    lifeMs: toMs(fields.for ?? ''),
  }
  if (unit === undefined) return { ...parts, on: 'call', effect: chooseEffect(callEffects, fields, nameOf) }
  const { route } = parts.match
  if (route !== undefined && !unitRoutes.some((each) => fitsRoute(route, each))) {
    const wrong = `${nameOf('route')} is ${JSON.stringify(route)}, which makes no poses or scenes`
    throw refuse(`${wrong}; with ${nameOf(unit)} it must be ${listWords(unitRoutes, 'or')}.`)
  }
  return { ...parts, on: 'unit', effect: chooseEffect(unitEffects, fields, nameOf) }
}

/** The routes whose tasks have units. */
export const unitRouteByKind = {
  avatar: 'POST /v1/pet-avatar/generate',
  animation: 'POST /v1/pet-animation/generate',
  diary: 'POST /v1/pet-diary-images/generate',
} as const
const unitRoutes: readonly string[] = Object.values(unitRouteByKind)

function toMatch({ route, caller, user, pet, task, scene, pose, alias }: FaultFields): FaultMatch {
  return Object.fromEntries(
    Object.entries({ route, caller, user, pet, task, scene, pose, alias }).filter(([, value]) => value !== undefined),
  )
}

type EffectMakers<E> = readonly (readonly [name: FaultFieldName, make: (value: string, fields: FaultFields) => E])[]

/** The effect of each field. Fields that only change another effect are omitted. */
const callEffects: EffectMakers<CallEffect> = [
  [
    'status',
    (status, fields) => ({ kind: 'status', status: Number(status), retryAfterSeconds: toRetryAfter(status, fields) }),
  ],
  ['stall', (time) => ({ kind: 'stall', ms: toMs(time) ?? 0 })],
  ['drop', (when) => ({ kind: 'drop', when: when as 'before' })],
  ['body', (how) => ({ kind: 'body', how: how as 'cut' })],
  ['address', (how) => ({ kind: 'address', how: how as 'expired' })],
]

const unitEffects: EffectMakers<UnitEffect> = [
  ['retries', (count, { code = 'provider_error' }) => ({ kind: 'retries', attempts: Number(count), code })],
  ['code', (code) => ({ kind: 'code', code })],
  ['never-ends', () => ({ kind: 'never-ends' })],
  ['only', (format) => ({ kind: 'only', format: format as 'webp' })],
]

/** The seconds of `Retry-After`, unless the rule says how many. */
export const defaultRetryAfter: Readonly<Record<string, number>> = { 429: 1, 503: 5 }

function toRetryAfter(status: string, { 'retry-after': given }: FaultFields): number | undefined {
  return given === undefined ? defaultRetryAfter[status] : Number(given)
}

function chooseEffect<E>(effects: EffectMakers<E | { kind: 'wait' }>, fields: FaultFields, nameOf: NameField) {
  const found = effects.filter(([name]) => fields[name] !== undefined)
  // A failed attempt may have a code.
  const [first, second] = fields.retries === undefined ? found : found.filter(([name]) => name !== 'code')
  if (first !== undefined && second !== undefined) {
    throw refuse(`${nameOf(first[0])} and ${nameOf(second[0])} are two effects: make two rules.`)
  }
  return first === undefined ? ({ kind: 'wait' } as const) : first[1](fields[first[0]] ?? '', fields)
}

function describeMissing(nameOf: NameField): string {
  const list = (part: FaultField['part']) =>
    listWords(
      faultFieldNames.filter((name) => faultFields[name].part === part && name !== 'retry-after').map(nameOf),
      'or',
    )
  return `The rule has no effect. Add ${list('call')} for calls, or ${list('unit')} for poses and scenes.`
}

function refuse(message: string): SvcError {
  return new SvcError('invalid_request', message)
}
