import { changePayload } from '../insight/change-payload.js'
import { type HealthDetailPayload, rules, type Violation, validate } from '../insight/index.js'
import { readValidPayload } from '../insight/reading.js'
import { defaultLocale, viewWindows } from '../insight/types.js'
import { createDraw, type Draw, rotate } from './draw.js'
import { toDay } from './frame.js'
import { generatePayloads } from './generate-payloads.js'
import { type Mutation, mutations } from './mutations.js'

/** A payload that breaks a rule. */
export interface Mutant {
  readonly rule: string
  /** JSON Pointer of the violation. */
  readonly path: string
  /** The violations of other rules that follow from it. */
  readonly also: readonly Pick<Violation, 'rule' | 'path'>[]
  /** The text of the file: not JSON for `payload-json`. */
  readonly text: string
}

/** Generates payloads of every scenario, and of weeks that are not over: each error rule can be broken in one of them. */
export function listBases(seed: number): readonly HealthDetailPayload[] {
  const pet = { userId: 'user-20418', petId: 'pet-7731', name: 'Mochi', species: 'dog' } as const
  const choice = { timezone: 'Europe/Berlin', seed, locale: defaultLocale, pet, scenario: 'all', count: 1 }
  const day = toDay('2026-10-28')
  const soFar = { ...choice, end: day, isSoFar: true } as const
  return [
    ...generatePayloads({ ...choice, end: day, isSoFar: false }).payloads,
    ...viewWindows.flatMap((viewWindow) => generatePayloads({ ...soFar, viewWindow }).payloads),
    ...generatePayloads({ ...soFar, scenario: 'INSUFFICIENT_DATA', metric: 'activity', viewWindow: 'week' }).payloads,
  ]
}

/**
 * Makes a mutant for each error rule that can be broken in one of the valid payloads: the rule alone, if any payload allows
 * it. The same seed and payloads give the same mutants.
 */
export function mutatePayloads(payloads: readonly HealthDetailPayload[], seed: number): readonly Mutant[] {
  const draw = createDraw(seed)
  return rules
    .filter(({ severity }) => severity === 'error')
    .flatMap(({ id }, index) => findMutant(id, rotate(payloads, draw('payload', index)), draw) ?? [])
}

function findMutant(rule: string, payloads: readonly HealthDetailPayload[], draw: Draw): Mutant | undefined {
  const [first] = payloads
  if (first === undefined) return undefined
  const text = toText(first)
  // A trailing comma, and a payload that was encoded twice.
  if (rule === 'payload-json') return { rule, path: '', also: [], text: text.replace(/\n\}\n$/, ',\n}\n') }
  if (rule === 'payload-object') return { rule, path: '', also: [], text: toText(JSON.stringify(first)) }
  const mutate = mutations[rule]
  if (mutate === undefined) return undefined
  let best: Mutant | undefined
  for (const payload of payloads) {
    for (const mutant of listMutants(rule, payload, mutate, draw)) {
      if (mutant.also.length === 0) return mutant
      best ??= mutant
    }
  }
  return best
}

function* listMutants(rule: string, payload: HealthDetailPayload, mutate: Mutation, draw: Draw): Generator<Mutant> {
  for (const changes of rotate(mutate(readValidPayload(payload)), draw('changes', rule))) {
    const mutant = changePayload(payload, changes)
    // As it is read from its file: a member that is undefined is missing.
    const { errors, warnings } = validate(JSON.parse(JSON.stringify(mutant)))
    const found = errors.find((error) => error.rule === rule)
    if (found === undefined) continue
    const also = [...errors, ...warnings].filter((violation) => violation !== found)
    yield {
      rule,
      path: found.path,
      also: also.map((violation) => ({ rule: violation.rule, path: violation.path })),
      text: toText(mutant),
    }
  }
}

const toText = (value: unknown) => `${JSON.stringify(value, undefined, 2)}\n`
