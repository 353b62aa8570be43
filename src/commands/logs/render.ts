import { findSentence } from '../../app/records/records.js'
import type { TaskTrace } from '../../contract/requests.js'
import type { LoggedCall, LoggedViolation } from '../../log/call-source.js'
import type { Paint, TextStyle } from '../../runtime/style.js'
import { fitText } from '../../text/table.js'
import { count, escapeControls, toJsonText } from '../../text/words.js'
import { dollars, shorten } from '../client/usage-report.js'

/** The greatest width to which a column is padded. */
const maxWidth = 80

/** A terminal that lines fit. */
export interface Terminal {
  readonly findWidth: () => number
  /** True if calls may be older than a day. */
  readonly hasDates: boolean
}

export type RenderCalls = (calls: readonly LoggedCall[]) => string[]

/**
 * Renders calls as lines, in columns that only grow. Values of callers cannot break a line or move the cursor. On a
 * terminal, each line fits it: times are short, and the columns that matter least are left out.
 */
export function createRenderer(paint: Paint, terminal?: Terminal): RenderCalls {
  const widths: number[] = []
  return (calls) => {
    if (terminal !== undefined)
      return calls.flatMap((call) => [fitLine(call, terminal, paint), ...renderDetails(call, paint)])
    const rows = calls.map(toCells)
    for (const cells of rows) {
      for (const [column, { text }] of cells.entries()) {
        widths[column] = Math.max(widths[column] ?? 0, Math.min(text.length, maxWidth))
      }
    }
    return calls.flatMap((call, row) => [
      (rows[row] ?? [])
        .flatMap((cell, column) => paintCell(cell, widths[column] ?? 0, paint))
        .join('  ')
        .trimEnd(),
      ...renderDetails(call, paint),
    ])
  }
}

interface Cell {
  readonly text: string
  readonly tone?: TextStyle
  readonly isNumber?: true
}

function toCells(call: LoggedCall): Cell[] {
  const { time, status, method, path, duration_ms: duration, key_name: keyName, key_id: keyId, pet_id: petId } = call
  const key = keyName === undefined ? 'no key' : `key ${keyName}${keyId === undefined ? '' : ` (${keyId})`}`
  const sentAs = call.caller_request_id === undefined ? '' : ` (sent as ${JSON.stringify(call.caller_request_id)})`
  const cells: Cell[] = [
    { text: time, tone: 'dim' },
    { text: String(status), tone: toneOf(status) },
    { text: `${method} ${path}`, tone: 'bold' },
    { text: `${duration} ms`, isNumber: true },
    { text: key },
    { text: petId === undefined ? '' : `pet ${shorten(petId)}`, tone: 'cyan' },
    { text: call.task_id === undefined ? '' : `task ${call.task_id}`, tone: 'cyan' },
    { text: `request ${call.request_id}${sentAs}`, tone: 'dim' },
    { text: call.fault === undefined ? '' : `fault ${call.fault}`, tone: 'yellow' },
  ]
  return cells.map((cell) => ({ ...cell, text: escapeControls(cell.text) }))
}

/** The columns of a fitted line after the path, with their widths: each is shown if there is room. */
const sideColumns: readonly (readonly [width: number, toCell: (call: LoggedCall) => Cell])[] = [
  [30, ({ request_id }) => ({ text: request_id, tone: 'dim' })],
  [12, ({ key_name: keyName = 'no key' }) => ({ text: keyName })],
  [12, ({ pet_id: petId }) => ({ text: petId === undefined ? '' : shorten(petId), tone: 'cyan' })],
  [34, ({ task_id: taskId = '' }) => ({ text: taskId, tone: 'cyan' })],
]

/** The width of a terminal that does not report its own, as in some CI systems. */
const usualWidth = 80

/** The width of the path that the columns after it may not take. */
const pathWidth = 44

/** Renders a call as one line of at most `width` characters. */
function fitLine(call: LoggedCall, { findWidth, hasDates }: Terminal, paint: Paint): string {
  const width = findWidth() || usualWidth
  const { time, status, method, path, duration_ms: durationMs } = call
  const clock = toClock(time, hasDates)
  const took = formatMs(durationMs).padStart(7)
  let left = width - `${clock}  ${status}  ${took}  `.length - pathWidth
  const side = sideColumns.flatMap(([columnWidth, toCell]) => {
    if (columnWidth + 2 > left) return []
    left -= columnWidth + 2
    return [{ ...toCell(call), width: columnWidth }]
  })
  const cells = [
    { text: clock, tone: 'dim' as const, width: clock.length },
    { text: String(status), tone: toneOf(status), width: 3 },
    { text: took, tone: durationMs >= slowMs ? ('yellow' as const) : ('dim' as const), width: 7 },
    { text: `${method} ${path}`, tone: 'bold' as const, width: Math.max(1, left + pathWidth) },
    ...side,
  ]
  return cells
    .map(({ text, tone, width: cellWidth }) => {
      const fitted = fitText(escapeControls(text), cellWidth)
      return tone === undefined ? fitted : paint(tone, fitted)
    })
    .join('  ')
}

const slowMs = 1000

/** The time of day here. */
function toClock(time: string, hasDate: boolean): string {
  const date = new Date(time)
  const two = (value: number) => String(value).padStart(2, '0')
  const clock = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':')
  return hasDate ? `${two(date.getMonth() + 1)}-${two(date.getDate())} ${clock}` : clock
}

function formatMs(ms: number): string {
  return ms < slowMs ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`
}

const toneOf = (status: number): TextStyle => (status < 400 ? 'green' : status < 500 ? 'yellow' : 'red')

/** Pads a cell to its column; a column that is empty so far takes no space. */
function paintCell({ text, tone, isNumber }: Cell, width: number, paint: Paint): string[] {
  if (width === 0) return []
  const padding = ' '.repeat(Math.max(0, width - text.length))
  const painted = tone === undefined ? text : paint(tone, text)
  return [isNumber ? padding + painted : painted + padding]
}

function renderDetails({ violations = [], warnings = [], error, task }: LoggedCall, paint: Paint): string[] {
  return [
    ...violations.map((violation) => renderViolation(paint('red', 'breaks'), violation)),
    ...warnings.map((violation) => renderViolation(paint('yellow', 'warning'), violation)),
    ...(error === undefined ? [] : [`    error ${toJsonText(error)}`]),
    ...(task === undefined ? [] : renderTask(task, paint)),
  ]
}

function renderViolation(word: string, { rule, path, sentence, expected, found }: LoggedViolation): string {
  const location = path === '' ? 'the whole body' : path
  const requirement = expected === undefined ? (sentence ?? findSentence(rule) ?? '') : `must be ${expected}`
  const kind = found === undefined ? '' : expected === undefined ? ` (found: ${found})` : `, but is ${found}`
  const text = `${rule} at ${location}  ${requirement}${kind}`.trimEnd()
  return `    ${word} ${escapeControls(text)}`
}

const statusTones: Readonly<Record<string, TextStyle>> = { success: 'green', failed: 'red', partial_success: 'yellow' }

/** Renders the history of a task, each event with its time since the creation of the task. */
function renderTask(
  { task_id, kind, status, created_at, finished_at, units, usage }: TaskTrace,
  paint: Paint,
): string[] {
  const createdAt = Date.parse(created_at)
  const since = (time: string) => `+${((Date.parse(time) - createdAt) / 1000).toFixed(3)} s`.padStart(12)
  const paintStatus = (text: string) => paint(statusTones[text] ?? 'bold', text)
  const end = finished_at === undefined ? '' : ` after ${((Date.parse(finished_at) - createdAt) / 1000).toFixed(3)} s`
  const lines = [
    `    task ${escapeControls(task_id)}  ${kind.replace('_', ' ')}  ${paintStatus(status)}${end}`,
    ...units.flatMap(({ unit, status: unitStatus, events, files }) => [
      `      ${escapeControls(unit)}  ${paintStatus(unitStatus)}`,
      ...events.flatMap(({ time, event, attempt, duration_ms, code, fault, detail }) => [
        [
          `    ${paint('dim', since(time))}  ${event.padEnd(9)}`,
          ...(attempt === 0 ? [] : [`attempt ${attempt}`]),
          ...(duration_ms === undefined ? [] : [`${duration_ms} ms`]),
          ...(code === undefined ? [] : [paint('red', escapeControls(code))]),
          ...(fault === undefined ? [] : [paint('yellow', `fault ${escapeControls(fault)}`)]),
        ]
          .join('  ')
          .trimEnd(),
        ...(detail === undefined ? [] : [`${' '.repeat(18)}${escapeControls(detail)}`]),
      ]),
      ...files.map(({ content_type, bytes }) => `${' '.repeat(18)}${content_type}  ${count(bytes, 'byte')}`),
    ]),
  ]
  return [...lines, ...renderUsage(usage)]
}

/** Renders the usage, summed by model and price. */
function renderUsage(usage: TaskTrace['usage']): string[] {
  const sums = new Map<string, { quantity: number; cost: number; line: TaskTrace['usage'][number] }>()
  for (const line of usage) {
    const name = JSON.stringify([line.model, line.unit, line.certain])
    const { quantity, cost } = sums.get(name) ?? { quantity: 0, cost: 0 }
    sums.set(name, { quantity: quantity + line.quantity, cost: cost + line.cost, line })
  }
  return [...sums.values()].map(({ quantity, cost, line: { model, unit, certain } }) => {
    const paid = `${dollars(cost)}${certain ? '' : ' (perhaps not paid)'}`
    return `      usage  ${escapeControls(model)}  ${count(quantity, unit)}  ${paid}`
  })
}
