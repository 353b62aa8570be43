import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { ApiKey } from '../ports/keys.js'
import { createId } from '../runtime/ids.js'

/** Endpoint groups a key can be limited to. Source: command line contract, `svc key`. */
export const endpointGroups = [
  'models',
  'pet-avatar',
  'pet-animation',
  'pet-diary',
  'home-insights',
  'ai-insights',
  'health-detail-insights',
  'app-metadata',
] as const
export type EndpointGroup = (typeof endpointGroups)[number]

/** Model aliases a key can be limited to. Source: gateway contract, 2.2. */
export const modelAliases = ['svc-general', 'svc-avatar', 'svc-animation'] as const
export type ModelAlias = (typeof modelAliases)[number]

/** Kinds of output that a key may generate. Source: gateway contract, 5. */
export const capabilities = ['image', 'video'] as const
export type Capability = (typeof capabilities)[number]

/** The permissions that a key needs for a route: the endpoint group, and what the route uses. Source: gateway contract, 5. */
export interface Access {
  readonly group: EndpointGroup
  readonly models?: readonly ModelAlias[]
  readonly allow?: readonly Capability[]
}

/**
 * Lists, in words, the permissions that the key lacks for a route: endpoint group, model aliases, capabilities. `admin`
 * routes read the gateway's own records.
 */
export function findMissing(key: ApiKey, access: Access | 'admin'): string[] {
  if (access === 'admin') return key.admin ? [] : ['the permission to read records of the gateway (--admin)']
  const { group, models = [], allow = [] } = access
  return [
    ...(key.endpoints === null || key.endpoints.includes(group) ? [] : [`the endpoint group ${group}`]),
    ...models.filter((model) => !mayUseModel(key, model)).map((model) => `the model ${model}`),
    ...allow.filter((capability) => !key.capabilities.includes(capability)).map((capability) => `${capability}s`),
  ]
}

/** True if the key may use the model alias. */
export function mayUseModel(key: ApiKey, model: ModelAlias): boolean {
  return key.models === null || key.models.includes(model)
}

export type KeySettings = Pick<
  ApiKey,
  'name' | 'endpoints' | 'models' | 'capabilities' | 'pets' | 'rateLimit' | 'budget' | 'admin' | 'expiresAt'
>

export const defaultRateLimit = 600

/** A key with all permissions and no expiry. */
export const fullSettings: Omit<KeySettings, 'name' | 'admin'> = {
  endpoints: null,
  models: null,
  capabilities,
  pets: null,
  rateLimit: defaultRateLimit,
  budget: null,
  expiresAt: null,
}

/** Makes a key. `text` is sent by the caller and never stored; `key` is the stored record. */
export function createKey(
  settings: KeySettings,
  now: Date,
  replaces: string | null = null,
): { text: string; key: ApiKey } {
  const id = createId('key_')
  const text = `svc_${id.slice('key_'.length)}_${randomBytes(32).toString('base64url')}`
  return { text, key: { ...settings, id, secretHash: hashKey(text), createdAt: now, revokedAt: null, replaces } }
}

/**
 * Returns the ID inside a key's text, or undefined if the text is not one of our keys.
 * It finds the stored hash without comparing secrets; the secret is 256 random bits, so one SHA-256 protects it.
 */
export function readKeyId(text: string): string | undefined {
  const match = /^svc_([0-9A-HJKMNP-TV-Z]{26})_[\w-]{43}$/.exec(text)
  return match === null ? undefined : `key_${match[1]}`
}

/** True if `text` is the stored key, compared in constant time, and the key is valid at `now`. */
export function isValidKey(text: string, key: ApiKey, now: number): boolean {
  return (
    timingSafeEqual(Buffer.from(hashKey(text)), Buffer.from(key.secretHash)) &&
    key.revokedAt === null &&
    (key.expiresAt === null || key.expiresAt.getTime() > now)
  )
}

function hashKey(text: string): string {
  return hash('sha256', text, 'hex')
}
