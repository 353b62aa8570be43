import { formatBudget } from '../../config/money.js'
import { endpointGroups, modelAliases } from '../../contract/access.js'
import type { ApiKey } from '../../ports/keys.js'
import { type Column, renderTable } from '../../text/table.js'

export function stateOf({ revokedAt, expiresAt }: ApiKey, now: Date): 'active' | 'revoked' | 'expired' {
  if (revokedAt !== null) return 'revoked'
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'active'
}

/** Returns a key as printed with `--json`. */
export function presentKey(key: ApiKey, now: Date): Record<string, unknown> {
  return {
    id: key.id,
    name: key.name,
    state: stateOf(key, now),
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

/** Returns the same with the text of the key, which is not available later. */
export function presentNewKey(key: ApiKey, text: string, now: Date): Record<string, unknown> {
  return { id: key.id, name: key.name, key: text, ...presentKey(key, now) }
}

/** Renders a new key with its text. `keptIn` is the file that also has the text. */
export function describeNewKey(key: ApiKey, text: string, now: Date, keptIn?: string): string[] {
  const sentence = `The key is shown once${keptIn === undefined ? ' and not stored' : `; ${keptIn} has it too`}:`
  return [describeKey(key, now), sentence, `  ${text}`]
}

const columns: readonly Column[] = [
  { title: 'id' },
  { title: 'name', isCut: true },
  { title: 'state' },
  { title: 'endpoints', isCut: true },
  { title: 'models', isCut: true },
  { title: 'allow', isLeftOut: true },
  { title: 'rate', isNumber: true },
  { title: 'budget' },
  { title: 'admin' },
  { title: 'expires', isLeftOut: true },
]

/** Renders keys as a table. On a terminal, leaves out the columns of permissions that no key limits. */
export function listKeys(keys: readonly ApiKey[], now: Date, width?: number): string[] {
  const all = (part: 'endpoints' | 'models') =>
    width !== undefined && keys.every((key) => key[part] === null) ? '' : 'all'
  const rows = keys.map((key) => [
    key.id,
    key.name,
    stateOf(key, now),
    key.endpoints?.join(',') ?? all('endpoints'),
    key.models?.join(',') ?? all('models'),
    key.capabilities.join(',') || 'none',
    key.rateLimit === 0 ? 'unlimited' : `${key.rateLimit}/min`,
    key.budget === null ? '' : formatBudget(key.budget),
    key.admin ? 'admin' : '',
    key.expiresAt === null ? '' : `${key.expiresAt.toISOString().slice(0, 16)}Z`,
  ])
  return renderTable(columns, rows, width)
}

/** Renders a key as one line. */
export function describeKey(key: ApiKey, now: Date): string {
  return [
    key.id,
    key.name,
    stateOf(key, now),
    `endpoints ${key.endpoints?.join(',') ?? 'all'}`,
    `models ${key.models?.join(',') ?? 'all'}`,
    `allow ${key.capabilities.join(',') || 'none'}`,
    key.rateLimit === 0 ? 'unlimited' : `${key.rateLimit}/min`,
    ...(key.budget === null ? [] : [`budget ${formatBudget(key.budget)}`]),
    ...(key.admin ? ['admin'] : []),
    ...(key.expiresAt === null ? [] : [`expires ${key.expiresAt.toISOString()}`]),
  ].join('  ')
}
