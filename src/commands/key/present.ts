import { endpointGroups, modelAliases } from '../../access.js'
import { formatBudget } from '../../config/money.js'
import type { ApiKey } from '../../ports.js'

export function stateOf({ revokedAt, expiresAt }: ApiKey, now: Date): 'active' | 'revoked' | 'expired' {
  if (revokedAt !== null) return 'revoked'
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'active'
}

/** A key as `--json` prints it. */
export function presentKey(key: ApiKey): Record<string, unknown> {
  return {
    id: key.id,
    name: key.name,
    state: stateOf(key, new Date()),
    endpoints: key.endpoints ?? endpointGroups,
    models: key.models ?? modelAliases,
    allow: key.capabilities,
    rate_limit: key.rateLimit,
    budget: key.budget && formatBudget(key.budget),
    admin: key.admin,
    created_at: key.createdAt,
    expires_at: key.expiresAt,
    revoked_at: key.revokedAt,
    replaces: key.replaces,
  }
}

/** The same with the key itself, which is not to be had again. */
export function presentNewKey(key: ApiKey, text: string): Record<string, unknown> {
  return { id: key.id, name: key.name, key: text, ...presentKey(key) }
}

/** `keptIn`: the file that has the key's text, too. */
export function describeNewKey(key: ApiKey, text: string, keptIn?: string): string {
  const sentence = `The key is shown once${keptIn === undefined ? ' and kept nowhere' : `; ${keptIn} has it, too`}:`
  return `${describeKey(key)}\n${sentence}\n  ${text}`
}

/** A key in one line. */
export function describeKey(key: ApiKey): string {
  return [
    key.id,
    key.name,
    stateOf(key, new Date()),
    `endpoints ${key.endpoints?.join(',') ?? 'all'}`,
    `models ${key.models?.join(',') ?? 'all'}`,
    `allow ${key.capabilities.join(',') || 'none'}`,
    key.rateLimit === 0 ? 'unlimited' : `${key.rateLimit}/min`,
    ...(key.budget === null ? [] : [`budget ${formatBudget(key.budget)}`]),
    ...(key.admin ? ['admin'] : []),
    ...(key.expiresAt === null ? [] : [`expires ${key.expiresAt.toISOString()}`]),
  ].join('  ')
}
