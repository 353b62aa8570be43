import { routes } from '../contract/index.js'
import type { Route } from '../contract/route.js'

/** The fields of inputs in which fault rules find each member of a match. */
const fieldsByMember = {
  task: ['task_id', 'avatar_task_id'],
  scene: ['scene_id', 'scene_ids'],
  pose: ['pose', 'poses'],
} as const
/** A task or an identity asset leads to its owner. */
const leadingFields = [...fieldsByMember.task, 'identity_asset_id']
const ownerFields = {
  user: ['user_id', 'userId', ...leadingFields],
  pet: ['pet_id', 'petId', ...leadingFields],
} as const

/** Renders the members of a match that the calls of each route may fit, so that rules are checked without its schemas. */
export function generateRouteMatches(): string {
  const rows = Object.values<Route>(routes)
    .filter(({ path }) => !path.startsWith('/_svc/'))
    .map((route) => `  '${route.method} ${route.path}': ${JSON.stringify(listMembers(route))},`)
  return `export const routeMatches: Readonly<Record<string, readonly string[]>> = {\n${rows.join('\n')}\n}\n`
}

/** Lists the members, such as `pet`; an alias with its value, such as `alias=svc-avatar`. */
function listMembers({ access, params, query, body }: Route): string[] {
  const fields = new Set([params, query, body].flatMap(listFields))
  const has = (names: readonly string[]) => names.some((name) => fields.has(name))
  const members = Object.entries({ ...ownerFields, ...fieldsByMember }).filter(([, names]) => has(names))
  const models = typeof access === 'object' ? (access.models ?? []) : []
  return [
    ...(access === 'public' ? [] : ['caller']),
    ...members.map(([member]) => member),
    ...models.map((model) => `alias=${model}`),
  ]
}

interface FieldSchema {
  readonly properties?: Readonly<Record<string, unknown>>
  readonly anyOf?: readonly unknown[]
  /** Those of health insights. */
  readonly $defs?: Readonly<Record<string, unknown>>
}

function listFields(schema: unknown): string[] {
  const { properties = {}, anyOf = [], $defs = {} } = (schema ?? {}) as FieldSchema
  return [...Object.keys(properties), ...[...anyOf, ...Object.values($defs)].flatMap(listFields)]
}

/** Renders the method and the path of each route, so that clients call routes by name without loading their schemas. */
export function generateRoutePaths(): string {
  const rows = Object.entries(routes).map(
    ([name, { method, path }]) => `  ${name}: { method: '${method}', path: '${path}' },`,
  )
  return `export const routePaths = {\n${rows.join('\n')}\n} as const\n`
}
