import { faultStatuses } from '../contract/faults.js'
import type { CallFault, UnitFault } from '../ports/faults.js'
import { findNearest } from '../text/spelling.js'
import { asPart, defaultRetryAfter, type FaultRule, readCompact, toRule } from './rule.js'

interface MagicPet {
  /** A rule in the compact form. */
  readonly rule: string
  /** True if only the last of several poses or scenes of a task meets it. */
  readonly isLastOnly?: true
  /** The result that a caller sees. */
  readonly summary: string
}

const statusPets: Readonly<Record<string, MagicPet>> = Object.fromEntries(
  faultStatuses.map((status) => {
    const wait = defaultRetryAfter[status]
    const header = wait === undefined ? '' : ` with \`Retry-After: ${wait}\``
    return [`svc-${status}`, { rule: `status=${status}`, summary: `Each call answers ${status}${header}.` }]
  }),
)

/**
 * Pet IDs that are rules, like the numbers of test cards. They keep no state: each acts on every call and unit of its pet.
 */
export const magicPets: Readonly<Record<string, MagicPet>> = {
  'svc-partial-success': {
    rule: 'code=provider_error',
    isLastOnly: true,
    summary: 'The last pose of each task fails, the others succeed: `partial_success`. A single pose succeeds.',
  },
  'svc-failed': { rule: 'code=provider_error', summary: 'Each pose and scene fails with `provider_error`: `failed`.' },
  'svc-content-refused': { rule: 'code=content_refused', summary: 'Each pose and scene fails with `content_refused`.' },
  'svc-retries': { rule: 'retries=2', summary: 'Each pose and scene fails twice and then succeeds, after 3 s.' },
  'svc-slow': { rule: 'slow=10s', summary: 'Each pose and scene takes 10 s longer.' },
  'svc-never-ends': {
    rule: 'never-ends',
    summary: 'Poses and scenes never end: `processing` until the deadline of the task, a day later.',
  },
  'svc-webp-only': { rule: 'only=webp', summary: 'Clips have no MP4: `partial_success`.' },
  'svc-mp4-only': { rule: 'only=mp4', summary: 'Clips have no WebP: `partial_success`.' },
  'svc-expired-address': { rule: 'address=expired', summary: 'The file addresses in responses have expired: 403.' },
  'svc-broken-address': { rule: 'address=broken', summary: 'The file addresses in responses lead to no file: 404.' },
  ...statusPets,
  'svc-late-answer': { rule: 'delay=10s', summary: 'Each call is answered 10 s later.' },
  'svc-dropped': { rule: 'drop=before', summary: 'The connection closes before anything is done.' },
  'svc-lost-answer': {
    rule: 'drop=after',
    summary: 'The task is created, but its response is lost. A retry with the same `Idempotency-Key` gets it.',
  },
  'svc-cut-body': { rule: 'body=cut', summary: 'The connection closes in the middle of the response.' },
  'svc-malformed': { rule: 'body=malformed', summary: 'The response is not JSON.' },
}

export function isMagicPet(petId: string): boolean {
  return Object.hasOwn(magicPets, petId)
}

/** Says what a pet may be whose ID begins like that of a magic pet; continues `must be`. */
export function adviseMagicPet(petId: string): string {
  const ids = Object.keys(magicPets)
  const nearest = ids.find((id) => petId.length > 6 && id.startsWith(petId.toLowerCase())) ?? findNearest(petId, ids)
  return nearest === undefined
    ? 'a magic pet, or an ID that does not begin with svc-'
    : `a magic pet, such as ${nearest}`
}

const rules = new Map<string, FaultRule>()

/** Returns a pet that is a rule, which is parsed on its first use. */
function findPet(petId: string) {
  const pet = isMagicPet(petId) ? magicPets[petId] : undefined
  if (pet === undefined) return undefined
  const rule = rules.get(petId) ?? toRule(readCompact(pet.rule, asPart), asPart)
  rules.set(petId, rule)
  return { ...pet, rule }
}

/** Returns the fault of calls of a pet. */
export function findMagicCall(petId: string): CallFault | undefined {
  const rule = findPet(petId)?.rule
  if (rule?.on !== 'call') return undefined
  const { effect, delayMs } = rule
  // Every response would be lost otherwise, and no retry could ever succeed.
  return { id: petId, effect, delayMs, sparesReplays: true }
}

/** Returns the fault of a unit of a pet. `isLast` is true for the last of several units of a task. */
export function findMagicUnit(petId: string, isLast: boolean): UnitFault | undefined {
  const pet = findPet(petId)
  if (pet?.rule.on !== 'unit' || (pet.isLastOnly && !isLast)) return undefined
  return { id: petId, effect: pet.rule.effect, delayMs: pet.rule.delayMs }
}
