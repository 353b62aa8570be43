import type { Fault, FaultRules } from '../contract/faults.js'
import { SvcError } from '../errors.js'
import { routeMatches } from '../generated/route-matches.js'
import type { FaultMatch, FaultStore, StoredFault } from '../ports/faults.js'
import type { KeyStore } from '../ports/keys.js'
import { createId } from '../runtime/ids.js'
import { findNearest, listWords } from '../text/spelling.js'
import { type FaultFields, filesRoute, fitsRoute, type NameField } from './fields.js'
import type { Faults } from './open-faults.js'
import { asMember, type FaultRule, readCompact, toCompact, toFields, toRule, unitRouteByKind } from './rule.js'

/** Manages the rules of a service, here or on a server. */
export interface FaultAdmin extends Omit<FaultRules, 'add'> {
  /** Adds a rule of checked fields. */
  add(fields: FaultFields): Promise<Fault>
}

/** Reads the fields of a rule, or its member `rule` in the compact form. Throws `invalid_request` that names the field. */
export function readFault(given: Readonly<Record<string, unknown>>, nameOf: NameField): FaultFields {
  const { rule, ...others } = given
  if (typeof rule === 'string' && Object.keys(others).length > 0) {
    throw new SvcError('invalid_request', `${nameOf('rule')} is the whole rule: send no other fields with it.`)
  }
  const fields = typeof rule === 'string' ? readCompact(rule, nameOf) : toFields(given, nameOf)
  refuseNeverFiring(toRule(fields, nameOf), nameOf)
  return fields
}

/** Manages the rules of a database. `refresh` makes this process see a change at once. */
export function createFaultAdmin(
  store: FaultStore & Pick<KeyStore, 'listKeys'>,
  now: () => number,
  refresh: () => Promise<void> = async () => {},
): FaultAdmin {
  return {
    async list() {
      return (await store.listFaults()).map((rule) => present(rule, now()))
    },
    async add(fields) {
      const { match, times, every, lifeMs } = toRule(fields, String)
      if (match.caller !== undefined) await requireKey(store, match.caller)
      const createdAt = new Date(now())
      const expiresAt = lifeMs === undefined ? null : new Date(createdAt.getTime() + lifeMs)
      const rule = { id: createId('fault_'), fields: { ...fields }, createdAt, expiresAt, times, every }
      await store.insertFault(rule)
      await refresh()
      return present({ ...rule, matched: 0, fired: 0 }, now())
    },
    async remove(id) {
      if (!(await store.deleteFault(id))) {
        throw new SvcError('not_found', `There is no fault rule ${JSON.stringify(id)}; svc fault list shows all.`)
      }
      await refresh()
    },
    async clear() {
      const removed = await store.clearFaults()
      await refresh()
      return removed
    },
  }
}

/** Manages the rules for the handlers, which pass what the caller sent. */
export function createFaultRules(
  store: FaultStore & Pick<KeyStore, 'listKeys'>,
  now: () => number,
  { refresh }: Faults,
): FaultRules {
  const admin = createFaultAdmin(store, now, refresh)
  return { ...admin, add: (given) => admin.add(readFault(given, asMember)) }
}

/** Throws `invalid_request` if no API key has the ID or the name: a rule for it would never fire. */
async function requireKey(store: Pick<KeyStore, 'listKeys'>, caller: string): Promise<void> {
  const keys = await store.listKeys()
  if (keys.some(({ id, name, revokedAt }) => revokedAt === null && (id === caller || name === caller))) return
  const nearest = findNearest(
    caller,
    keys.map(({ name }) => name),
  )
  const advice = nearest === undefined ? '' : ` Did you mean ${JSON.stringify(nearest)}?`
  throw new SvcError(
    'invalid_request',
    `There is no API key ${JSON.stringify(caller)} for caller; svc key list shows all.${advice}`,
  )
}

function present(rule: StoredFault, now: number): Fault {
  const { id, fields, createdAt, expiresAt, times, matched, fired } = rule
  const isExpired = expiresAt !== null && expiresAt.getTime() <= now
  return {
    id,
    rule: toCompact(fields),
    state: times !== null && fired >= times ? 'spent' : isExpired ? 'expired' : 'active',
    matched,
    fired,
    created_at: createdAt.toISOString(),
    expires_at: expiresAt?.toISOString() ?? null,
  }
}

const owner = ['caller', 'user', 'pet', 'task']
/** The members of a match that calls, or poses and scenes, may fit, by route. */
const membersByRoute = {
  call: { ...routeMatches, [filesRoute]: [] },
  unit: {
    [unitRouteByKind.avatar]: [...owner, 'pose', 'alias=svc-avatar'],
    [unitRouteByKind.animation]: [...owner, 'pose', 'alias=svc-animation'],
    [unitRouteByKind.diary]: [...owner, 'scene', 'alias=svc-avatar'],
  },
} satisfies Readonly<Record<FaultRule['on'], Readonly<Record<string, readonly string[]>>>>

/** Throws `invalid_request` for a rule that fits nothing, such as one for the scene of an avatar. */
function refuseNeverFiring({ on, match }: FaultRule, nameOf: NameField): void {
  const { route, alias, ...others } = match
  const wanted = [...Object.keys(others), ...(alias === undefined ? [] : [`alias=${alias}`])]
  const isFitting = ([own, members]: [string, readonly string[]]) =>
    (route === undefined || fitsRoute(route, own)) && wanted.every((member) => members.includes(member))
  if (Object.entries<readonly string[]>(membersByRoute[on]).some(isFitting)) return
  const names = Object.keys({ ...others, ...(alias !== undefined && { alias }) } satisfies FaultMatch).map(nameOf)
  const subject = `${on === 'call' ? 'call' : 'pose or scene'}${route === undefined ? '' : ` of ${route}`}`
  throw new SvcError(
    'invalid_request',
    `The rule would never fire: no ${subject} has ${listWords(names, 'and')}${alias === undefined ? '' : ` (${alias})`}.`,
  )
}
