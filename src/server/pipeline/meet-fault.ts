import { setTimeout as delay } from 'node:timers/promises'
import type { H3Event } from 'h3'
import { type ErrorCode, SvcError, statusByCode } from '../../errors.js'
import type { CallEffect, CallFault, CallFaults } from '../../ports/faults.js'
import type { UrlSignatures } from '../../ports/objects.js'
import type { ObjectParts } from '../files/objects.js'
import { CallerGone } from '../input/body-reader.js'
import { callerGoneStatus, fail } from './failure.js'
import type { Outcome, Progress } from './progress.js'

/** A call that meets a fault. */
export interface FaultedCall {
  readonly event: H3Event
  readonly progress: Progress
  readonly objects?: ObjectParts | undefined
  readonly faults?: CallFaults | undefined
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Answers the call. `hold` delays its work after all checks and, with an Idempotency-Key, after its reservation. */
  readonly answer: (hold?: () => Promise<void>) => Promise<Outcome>
}

/** The time for which the work goes on after a connection was dropped during it: a retry at once meets it in flight. */
const workMs = 2000

/** Answers a call as a rule says. The response, if there is one, and the log name the rule, unless it changed nothing. */
export async function meetFault(fault: CallFault, call: FaultedCall): Promise<Outcome> {
  const { progress } = call
  const earlier = progress.fault
  nameRule(progress, fault.id)
  if (fault.delayMs > 0) await wait(fault.delayMs, [call.event.req.signal, call.faults?.closing])
  let own: Outcome | undefined
  const answer: FaultedCall['answer'] = async (hold) => {
    own = await call.answer(hold).catch((error: unknown) => fail(error, progress))
    return own
  }
  const outcome = await effects[fault.effect.kind](fault.effect as never, { ...call, answer })
  const isSpared = fault.sparesReplays && progress.headers['idempotent-replayed'] === 'true'
  // A delay alone changes a response.
  if (own === undefined || fault.delayMs > 0 || !(isSpared || outcome === own)) return outcome
  nameRule(progress, earlier)
  return own
}

function nameRule(progress: Progress, id: string | undefined): void {
  delete progress.fault
  delete progress.headers['svc-fault']
  if (id === undefined) return
  progress.fault = id
  progress.headers['svc-fault'] = id
}

/** Throws `CallerGone` as soon as one of the signals is aborted: the caller has left, or the server ends. */
async function wait(ms: number, signals: readonly (AbortSignal | undefined)[]): Promise<void> {
  const end = new AbortController()
  const abort = () => end.abort()
  for (const signal of signals) {
    if (signal?.aborted) abort()
    else signal?.addEventListener('abort', abort, { once: true })
  }
  try {
    await delay(ms, undefined, { signal: end.signal })
  } catch {
    throw new CallerGone()
  } finally {
    for (const signal of signals) signal?.removeEventListener('abort', abort)
  }
}

type EffectOf<K extends CallEffect['kind']> = Extract<CallEffect, { kind: K }>
type CallEffects = {
  readonly [K in CallEffect['kind']]: (effect: EffectOf<K>, call: FaultedCall) => Promise<Outcome>
}

/** Each returns the response itself if it has nothing to change. */
const effects: CallEffects = {
  wait: (_, { answer }) => answer(),
  async status({ status, retryAfterSeconds }, { progress: { headers } }) {
    if (status === 429 && 'x-ratelimit-remaining' in headers) headers['x-ratelimit-remaining'] = '0'
    const message = `A fault rule answers this call with ${status}; the header Svc-Fault names the rule.`
    const code = codes.find((one) => statusByCode[one] === status) ?? 'internal_error'
    throw new SvcError(code, message, { retryAfterSeconds })
  },
  async stall({ ms }, { answer }) {
    const outcome = await answer()
    return hasContent(outcome) ? { ...outcome, delivery: { kind: 'stall', ms } } : outcome
  },
  async drop({ when }, { event, faults, answer }) {
    if (when === 'before') return { status: callerGoneStatus, body: undefined, delivery: { kind: 'drop' } }
    const hold = async () => {
      event.runtime?.node?.res?.destroy()
      await wait(workMs, [faults?.closing])
    }
    return { ...(await answer(when === 'during' ? hold : undefined)), delivery: { kind: 'drop' } }
  },
  async body({ how }, { answer }) {
    const outcome = await answer()
    if (how === 'cut') return hasContent(outcome) ? { ...outcome, delivery: { kind: 'cut' } } : outcome
    if (outcome.body === undefined) return outcome
    // Without its last brace.
    return { ...outcome, json: JSON.stringify(outcome.body).slice(0, -1) }
  },
  async address({ how, pet }, { answer, objects, now }) {
    const outcome = await answer()
    if (objects === undefined || outcome.body === undefined) return outcome
    const sign = spoilers[how](objects.signatures, new Date(now()))
    let isSpoilt = false
    const spoil: Spoil = (key, base) => {
      isSpoilt = true
      return sign(key, base)
    }
    const spoilAll = (value: unknown) => mapTexts(value, (text) => spoilAddress(text, spoil))
    const body = pet === undefined ? spoilAll(outcome.body) : mapRecords(outcome.body, pet, spoilAll)
    return isSpoilt ? { ...outcome, body, json: undefined } : outcome
  },
}

function hasContent({ body, stream }: Outcome): boolean {
  return body !== undefined || stream !== undefined
}

const codes = Object.keys(statusByCode) as ErrorCode[]

type Spoil = (key: string, base: string) => string

/** Signs an address so that it is ours and already invalid. */
const spoilers: Readonly<Record<EffectOf<'address'>['how'], (signatures: UrlSignatures, now: Date) => Spoil>> = {
  expired: (signatures) => (key, base) => signatures.sign(key, base, new Date(0)),
  broken: (signatures, now) => (key, base) => signatures.sign(`${key}.lost`, base, now),
}

function spoilAddress(text: string, spoil: Spoil): string {
  const [, base, key] = /^(https?:\/\/[^?]*?)\/objects\/([^?]+)\?expires=\d+&signature=[\w-]+$/.exec(text) ?? []
  return base === undefined || key === undefined ? text : spoil(key, base)
}

/** Copies a response with the records of a pet replaced: itself, or those in its list. */
function mapRecords(answer: unknown, pet: string, map: (record: unknown) => unknown): unknown {
  const { pet_id: own, items } = answer as {
    readonly pet_id?: unknown
    readonly items?: readonly { pet_id?: unknown }[]
  }
  if (own === pet || items === undefined) return map(answer)
  return { ...(answer as object), items: items.map((item) => (item.pet_id === pet ? map(item) : item)) }
}

/** Copies a JSON value with every text replaced. */
function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value)
  if (Array.isArray(value)) return value.map((member) => mapTexts(member, map))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapTexts(member, map)]))
}
