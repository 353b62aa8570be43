import { routes } from '../../contract/index.js'
import { listErrors, type Route } from '../../contract/route.js'
import { type ErrorCode, statusByCode } from '../../errors.js'
import { answerColumns, type DocumentedSchema, listFields, requestColumns } from './fields.js'
import { code, table } from './html.js'
import { renderHeading } from './text.js'

const byName: Readonly<Record<string, Route>> = routes

function getRoute(name: string): Route {
  const route = byName[name]
  if (route === undefined) throw new Error(`There is no operation ${name}.`)
  return route
}

/** Renders heading, path and required permissions. */
export function renderOperation(name: string): string {
  const route = getRoute(name)
  const { aliases = [], retired } = route
  const notes = [
    ...(retired === undefined ? [] : [`Retired since ${retired.since}.`]),
    ...aliases.map((alias) => `The same as ${code(alias)}.`),
    `Key: ${describeAccess(route)}.`,
    ...(route.idempotent === true ? ['Accepts an <a href="#repeating-a-call">Idempotency-Key</a>.'] : []),
    ...(route.files === undefined ? [] : ['Body: JSON, or a form with a file.']),
    `<a class="try" href="docs#?route=${toExplorerId(route)}">Try it</a>`,
  ]
  return `${renderHeading(2, name, route.summary)}<p class="route">${renderMethod(route)} ${code(route.path)}</p><p class="notes">${notes.join(' ')}</p>`
}

/** Renders the fields of request and answers, and the errors. */
export function renderFields(name: string): string {
  const route = getRoute(name)
  const query = toNode(route.query)
  const body = route.check === 'handler' ? undefined : toNode(route.body)
  const files = (route.files ?? []).map((file) => [code(file), 'file', 'optional', 'The photo, in a form.'])
  const replies = Object.entries(route.replies).flatMap(([status, schema]) =>
    status === '503' ? [] : alternatives(schema).map((node) => ({ status, node })),
  )
  return [
    query === undefined ? '' : table('Query', requestColumns, listFields(query, 'request', findLinkFrom(name))),
    body === undefined
      ? ''
      : table('Body', requestColumns, [...files, ...listFields(body, 'request', findLinkFrom(name))]),
    ...replies.map(({ status, node }) =>
      table(
        `Answer ${status}${replies.length > 1 ? `: ${node.$id}` : ''}`,
        answerColumns,
        listFields(node, 'answer', findLinkFrom(name)),
      ),
    ),
    `<p class="errors">Errors: ${sortByStatus(listErrors(route))
      .map((error) => `<a href="#errors"><code>${statusByCode[error]} ${error}</code></a>`)
      .join(', ')}.</p>`,
  ].join('')
}

const sortByStatus = (codes: readonly ErrorCode[]) =>
  [...codes].sort((left, right) => statusByCode[left] - statusByCode[right])

const toNode = (schema: object | null | undefined) => (schema ?? undefined) as DocumentedSchema | undefined

function alternatives(schema: object | null): DocumentedSchema[] {
  const node = toNode(schema)
  return node === undefined ? [] : [...(node.anyOf ?? [node])]
}

/** The operation that shows the fields of each named schema: the first that answers with it. */
const homes = new Map<string, string>()
for (const [name, route] of Object.entries(byName)) {
  for (const { $id } of Object.values(route.replies).flatMap(alternatives)) {
    if ($id !== undefined && !homes.has($id)) homes.set($id, name)
  }
}

const findLinkFrom = (name: string) => (id: string) => {
  const home = homes.get(id)
  return home === undefined || home === name ? undefined : `<a href="#${home}">${id}</a>`
}

const renderMethod = ({ method }: Route) => `<b class="method ${method.toLowerCase()}">${method}</b>`

/** The ID of an operation on the page /docs. */
const toExplorerId = ({ method, path }: Route) => `${method.toLowerCase()}-${path.replaceAll(/[{}]/g, '-')}`

/** Describes the permissions that a key needs. */
export function describeAccess({ access }: Route): string {
  if (access === 'public') return 'no key needed'
  if (access === 'admin') return 'one made with <code>--admin</code>'
  const { group, models = [], allow = [] } = access
  return [
    `group ${code(group)}`,
    ...(models.length === 0 ? [] : [`${models.length > 1 ? 'models' : 'model'} ${models.map(code).join(', ')}`]),
    ...(allow.length === 0 ? [] : [allow.map(code).join(', ')]),
  ].join('; ')
}

/** Renders the table of all operations: path, purpose, permissions. */
export function renderRoutes(): string {
  return table(
    'All operations',
    ['Call', 'Does', 'Key'],
    Object.entries(byName).map(([name, route]) => [
      `${renderMethod(route)} <a href="#${name}">${code(route.path)}</a>`,
      route.summary,
      describeAccess(route),
    ]),
  )
}
