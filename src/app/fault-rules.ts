import type { FaultRules } from '../contract/faults.js'
import { createFaultAdmin, readFault } from '../faults/admin.js'
import type { Faults } from '../faults/open-faults.js'
import { asMember } from '../faults/rule.js'
import type { FaultStore } from '../ports/faults.js'
import type { KeyStore } from '../ports/keys.js'

/** Manages the rules for the handlers, which pass what the caller sent. */
export function createFaultRules(
  store: FaultStore & Pick<KeyStore, 'listKeys'>,
  now: () => number,
  { refresh }: Faults,
): FaultRules {
  const admin = createFaultAdmin(store, now, refresh)
  return { ...admin, add: (given) => admin.add(readFault(given, asMember)) }
}
