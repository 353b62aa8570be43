import { type ErrorCode, statusByCode } from '../../errors.js'
import { rules } from '../../insight/rules/index.js'
import { buildPayloadSchema } from '../payload-schema.js'
import { listFields, type Node, requestColumns } from './fields.js'
import { code, inline, table } from './html.js'

/** What a caller does about each error. */
const advice: Readonly<Record<ErrorCode, readonly [when: string, fix: string]>> = {
  unauthorized: ['The key is missing, unknown, revoked or expired.', 'Send a valid key.'],
  forbidden: [
    'The key may not use this endpoint, model or capability; or a file address was altered or has ended.',
    'The message names what is missing: ask for a key that has it. For a file, read the task again.',
  ],
  not_found: [
    'Nothing is at this path, or nothing has this ID.',
    'Check the path, the ID, and `user_id` where a task is found by its owner.',
  ],
  method_not_allowed: ['The path takes other methods.', 'The header `Allow` names them.'],
  conflict: [
    'It cannot be done now: a running animation cannot be deleted, and a call under the same `Idempotency-Key` is still running.',
    'Wait and try again.',
  ],
  gone: ['The endpoint is retired.', 'The header `Link` names what took its place.'],
  payload_too_large: ['The body is over its limit.', 'Send less.'],
  invalid_request: [
    'A field is missing, of the wrong type or not allowed; the JSON is broken; the content type is another.',
    'The message names the field and what it must be. Do not repeat the call unchanged.',
  ],
  rate_limit_exceeded: [
    'The rate of the key, or a budget of the key or the pet, is reached.',
    'Wait as many seconds as `Retry-After` says. Where the message says that the call asks for more than a whole day or month allows, ask for fewer poses or scenes.',
  ],
  internal_error: ['Our fault.', 'Report the request ID; the server’s log has the cause under it.'],
  provider_error: ['The model service failed, and the call itself needed it.', 'Try again later.'],
  unavailable: ['The service cannot answer now.', 'Wait as many seconds as `Retry-After` says.'],
}

/** Every error code with its status, when it comes, and what to do. */
export function renderErrors(): string {
  const rows = Object.entries(statusByCode).map(([name, status]) => {
    const [when, fix] = advice[name as ErrorCode]
    return [code(name), String(status), inline(when), inline(fix)]
  })
  return table('Error codes', ['Code', 'Status', 'When', 'What to do'], rows)
}

const sections: Readonly<Record<string, string>> = {
  '2.1': 'Envelope, pet and period',
  '2.2': 'Context',
  '2.2.1': 'Comparison',
  '2.3': 'Supplied judgment',
  '2.4': 'Metrics and daily series',
  '4': 'Windows, modes and agreement of the numbers',
  '8': 'Limits',
}

/** The rules of validity of a health payload, by section of its contract. */
export function renderRules(): string {
  const byId = [...rules].sort((left, right) => left.section.localeCompare(right.section, 'en', { numeric: true }))
  return [...new Set(byId.map(({ section }) => section))]
    .map((section) => {
      const title = sections[section]
      if (title === undefined) throw new Error(`Section ${section} of the rules has no title in src/build/api-docs/.`)
      const rows = byId
        .filter((rule) => rule.section === section)
        .map(({ id, severity, sentence }) => [code(id), severity, inline(sentence)])
      return table(`${section} ${title}`, ['Rule', 'Severity', 'Asks'], rows)
    })
    .join('')
}

const payload = buildPayloadSchema() as Node & { readonly $defs: Readonly<Record<string, Node>> }

/** The fields of a health payload: `envelope`, or what a metric (`rest`) or a metric and a window (`rest-day`) add. */
export function renderPayload(part: string): string {
  if (part === 'envelope') return renderFieldsOf('Every payload', payload)
  const node = payload.$defs[part]
  if (node === undefined) throw new Error(`The payload has no part ${part}.`)
  const [metric = '', kind] = part.split('-')
  const window = kind === undefined ? '' : kind === 'day' ? ', day' : ', week and month'
  const title = `${metric === 'vital' ? 'hr, hrv, rr' : metric}${window}`
  const rated = node.then === undefined ? '' : renderFieldsOf(`${title}, with a rating`, node.then)
  return `${renderFieldsOf(title, node)}${rated}`
}

/** Without the objects that stand around: they are fields of every payload. */
function renderFieldsOf(title: string, node: Node): string {
  const rows = listFields(node, 'request', () => undefined)
  const around = ['insightContext', 'metrics', 'period'].map(code)
  return table(title, requestColumns, node === payload ? rows : rows.filter(([name = '']) => !around.includes(name)))
}
