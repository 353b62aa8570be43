import { SvcError } from '../errors.js'
import { routeMatches } from '../generated/route-matches.js'
import type { FaultMatch } from '../ports/faults.js'
import { listWords } from '../text/spelling.js'
import { filesRoute, fitsRoute, type NameField } from './fields.js'
import { type FaultRule, unitRouteByKind } from './rule.js'

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
export function refuseNeverFiring({ on, match }: FaultRule, nameOf: NameField): void {
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
