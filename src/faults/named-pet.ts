import type { FaultInput } from '../ports/faults.js'

const prefixes = ['svc-', 'SVC-']

/** True if a pet's ID may be a rule, or looks like one. */
export function isMagic(petId: unknown): petId is string {
  return typeof petId === 'string' && prefixes.some((prefix) => petId.startsWith(prefix))
}

/** Returns the pet that a call names, if its ID may be a rule. */
export function findMagicPet({ query, body }: FaultInput): string | undefined {
  const named = findNamedPet(isText(body) ? readText(body) : body)
  if (isMagic(named)) return named
  const asked = findNamedPet(query)
  return isMagic(asked) ? asked : undefined
}

/** Returns the pet that an input names: `pet_id`, `petId` of a payload, or that of a snapshot of a diary. */
export function findNamedPet(input: unknown): unknown {
  if (!isObject(input)) return undefined
  const { pet_id: petId, petId: ofPayload, dailyDiarySnapshot: snapshot } = input
  return (
    petId ?? ofPayload ?? (isObject(snapshot) && isObject(snapshot.petProfile) ? snapshot.petProfile.petId : undefined)
  )
}

/** Returns the pet of a response, or of an entry of its list, if its ID may be a rule. */
export function findAnsweredPet(answer: unknown): string | undefined {
  if (!isObject(answer)) return undefined
  const { pet_id: petId, items } = answer
  if (isMagic(petId)) return petId
  if (!Array.isArray(items)) return undefined
  return items.map((item) => item?.pet_id).find(isMagic)
}

/** A body that the handler parses. */
interface BodyText {
  readonly bytes: Buffer
  readonly parse: () => unknown
}

function isText(body: unknown): body is BodyText {
  return isObject(body) && typeof body.parse === 'function' && Buffer.isBuffer(body.bytes)
}

/** Parses a body only if it may name such a pet: reading thousands of payloads twice would show in their rate. */
function readText({ bytes, parse }: BodyText): unknown {
  // Without their first letter: s is frequent, so that a search for it takes three times as long.
  if (bytes.indexOf('vc-', 0, 'latin1') === -1 && bytes.indexOf('VC-', 0, 'latin1') === -1) return undefined
  try {
    return parse()
  } catch {
    // The handler refuses it.
    return undefined
  }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
