import { make } from '../shared/dom.js'
import { money } from './activity.js'
import { CallError, send } from './api.js'
import { showProblem } from './problem.js'

interface RuleHit {
  readonly rule: string
  readonly path: string
  readonly sentence?: string
  readonly expected?: string
  readonly found?: string
}

interface TaskEvent {
  readonly time: string
  readonly event: string
  readonly attempt?: number
  readonly duration_ms?: number
  readonly code?: string
}

interface RequestDetail {
  readonly request_id: string
  readonly violations?: readonly RuleHit[]
  readonly warnings?: readonly RuleHit[]
  readonly task?: {
    readonly units: readonly {
      readonly unit: string
      readonly status: string
      readonly events: readonly TaskEvent[]
      readonly files: readonly { readonly content_type: string; readonly bytes: number }[]
    }[]
    readonly usage: readonly {
      readonly model: string
      readonly quantity: number
      readonly unit: string
      readonly cost: number
      readonly certain: boolean
    }[]
  }
}

/** Describes a request: the rules that its body breaks, and the timeline of the task that it created. */
export async function describeRequest(requestId: string): Promise<HTMLElement> {
  const root = make('div', { class: 'detail' })
  try {
    const detail = await send<RequestDetail>({ method: 'GET', path: `_svc/requests/${encodeURIComponent(requestId)}` })
    root.append(make('p', {}, 'Request ', make('code', {}, detail.request_id)))
    root.append(...describeHits('Breaks', detail.violations), ...describeHits('Warnings', detail.warnings))
    if (detail.task !== undefined) root.append(...describeTask(detail.task))
    if (root.childElementCount === 1) root.append(make('p', {}, 'It created no task, and the log has no more details.'))
  } catch (error) {
    if (!(error instanceof CallError)) throw error
    showProblem(root, error)
  }
  return root
}

function describeHits(title: string, hits: readonly RuleHit[] = []): HTMLElement[] {
  if (hits.length === 0) return []
  const items = hits.map(({ rule, path, sentence = '', expected, found }) => {
    const words =
      expected === undefined ? sentence : `must be ${expected}${found === undefined ? '' : `, but is ${found}`}`
    return make('li', {}, make('code', {}, rule), ' at ', make('code', {}, path || '/'), ` ${words}`)
  })
  return [make('h3', {}, title), make('ul', {}, ...items)]
}

function describeTask({ units, usage }: NonNullable<RequestDetail['task']>): HTMLElement[] {
  const list = units.map(({ unit, status, events, files }) => {
    const sizes = files.map(({ content_type, bytes }) => `${content_type}, ${Math.ceil(bytes / 1024)} KiB`)
    return make(
      'li',
      {},
      make('strong', {}, unit),
      ` ${status}`,
      make('ol', { class: 'events' }, ...events.map(describeEvent)),
      ...sizes.map((size) => make('p', { class: 'file' }, size)),
    )
  })
  const paid = sumUsage(usage).map(({ model, quantity, unit, cost, certain }) =>
    make('li', {}, `${model}: ${quantity} × ${unit}, ${money.format(cost)}${certain ? '' : ' (perhaps not charged)'}`),
  )
  return [
    make('h3', {}, 'Timeline'),
    make('ul', { class: 'units' }, ...list),
    ...(paid.length === 0 ? [] : [make('h3', {}, 'Usage'), make('ul', {}, ...paid)]),
  ]
}

type Usage = NonNullable<RequestDetail['task']>['usage'][number]

/** Sums the entries of the same model and unit. */
function sumUsage(entries: readonly Usage[]): readonly Usage[] {
  const sums = new Map<string, Usage>()
  for (const entry of entries) {
    const kind = [entry.model, entry.unit, entry.certain].join(' ')
    const { quantity = 0, cost = 0 } = sums.get(kind) ?? {}
    sums.set(kind, { ...entry, quantity: quantity + entry.quantity, cost: cost + entry.cost })
  }
  return [...sums.values()]
}

function describeEvent({ time, event, attempt, duration_ms, code }: TaskEvent): HTMLElement {
  const more = [
    attempt === undefined || attempt < 2 ? undefined : `attempt ${attempt}`,
    duration_ms === undefined ? undefined : formatDuration(duration_ms),
    code,
  ].filter((detail) => detail !== undefined)
  return make(
    'li',
    {},
    make('time', { datetime: time }, time.slice(11, 23)),
    ` ${event}`,
    more.length === 0 ? '' : ` (${more.join(', ')})`,
  )
}

export function formatDuration(ms: number): string {
  return ms < 1000 ? `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`
}
