import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { createId } from './ids.js'
import type { ApiKey } from './ports.js'

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

/** What a key may have generated. Source: gateway contract, 5. */
export const capabilities = ['image', 'video'] as const
export type Capability = (typeof capabilities)[number]

/** What a key needs to call a route: its endpoint group, and what the route uses. Source: gateway contract, 5. */
export interface Access {
  readonly group: EndpointGroup
  readonly models?: readonly ModelAlias[]
  readonly allow?: readonly Capability[]
}

/**
 * What the key lacks to call the endpoint, in words: its group, the model aliases, what is generated; `admin` is for the
 * gateway's own records.
 */
export function findMissing(key: ApiKey, access: Access | 'admin'): string[] {
  if (access === 'admin') return key.admin ? [] : ['the right to read records of the gateway (--admin)']
  const { group, models = [], allow = [] } = access
  return [
    ...(key.endpoints === null || key.endpoints.includes(group) ? [] : [`the endpoint group ${group}`]),
    ...models.filter((model) => !mayUseModel(key, model)).map((model) => `the model ${model}`),
    ...allow.filter((capability) => !key.capabilities.includes(capability)).map((capability) => `${capability}s`),
  ]
}

/** Whether the key may use a model alias. */
export function mayUseModel(key: ApiKey, model: ModelAlias): boolean {
  return key.models === null || key.models.includes(model)
}

export type KeySettings = Pick<
  ApiKey,
  'name' | 'endpoints' | 'models' | 'capabilities' | 'rateLimit' | 'budget' | 'admin' | 'expiresAt'
>

export const defaultRateLimit = 600

/** A key that may do everything and never ends. */
export const fullSettings: Omit<KeySettings, 'name' | 'admin'> = {
  endpoints: null,
  models: null,
  capabilities,
  rateLimit: defaultRateLimit,
  budget: null,
  expiresAt: null,
}

/** Makes a key. `text` is what the caller sends and is kept nowhere; `key` is what is stored. */
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
 * The ID inside a key's text, or undefined if it cannot be one of our keys.
 * It leads to the stored hash without comparing secrets; the secret is 256 random bits, so one SHA-256 protects it.
 */
export function readKeyId(text: string): string | undefined {
  const match = /^svc_([0-9A-HJKMNP-TV-Z]{26})_[\w-]{43}$/.exec(text)
  return match === null ? undefined : `key_${match[1]}`
}

/** Whether `text` is the key that is stored, compared in constant time, and the key counts at `now`. */
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
