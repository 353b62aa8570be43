import type { Routes } from '../../contract/index.js'
import type { ReplyBody } from '../../contract/route.js'
import type { UsageGroup } from '../../ports/usage.js'
import { type Column, renderTable } from '../../text/table.js'

/** A usage sum in a response of the service. */
export type UsageEntry = ReplyBody<Routes['getUsage']>['entries'][number]

export const usageGroups = ['pet', 'user', 'key', 'model', 'day'] as const satisfies readonly UsageGroup[]

const csvColumns = [
  'pet_id',
  'user_id',
  'key_id',
  'model',
  'day',
  'missing_id',
  'requests',
  'units',
  'cost',
  'maybe_cost',
] as const satisfies readonly (keyof UsageEntry)[]

/** Renders CSV with a header line. Source: RFC 4180. */
export function usageToCsv(entries: readonly UsageEntry[]): string {
  const rows = entries.map((entry) => csvColumns.map((column) => toField(entry[column])))
  return [csvColumns, ...rows].map((row) => `${row.join(',')}\r\n`).join('')
}

/** Quotes a field. Text that a spreadsheet would take for a formula gets an apostrophe in front. */
function toField(value: string | number | boolean | null): string {
  if (typeof value !== 'string') return value === null ? '' : String(value)
  const text = /^[=+\-@\t\r＝＋－＠]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Renders a table, one line per entry. */
export function usageToLines(entries: readonly UsageEntry[], by: UsageGroup, width?: number): string[] {
  if (entries.length === 0) return ['There is no usage.']
  const member = by === 'day' || by === 'model' ? by : (`${by}_id` as const)
  const columns: readonly Column[] = [
    { title: by, isCut: true },
    { title: 'user', isCut: true },
    { title: 'requests', isNumber: true },
    { title: 'units', isNumber: true },
    { title: 'cost', isNumber: true },
    { title: 'note' },
  ]
  const rows = entries.map((entry) => [
    shorten(entry[member] || '-'),
    by === 'pet' ? shorten(entry.user_id ?? 'several') : '',
    String(entry.requests),
    String(entry.units),
    dollars(entry.cost),
    describeDoubts(entry),
  ])
  return renderTable(columns, rows, width)
}

/** Shortens the hash of an ID that must not be stored to a distinctive beginning. */
export function shorten(id: string): string {
  return id.startsWith('hmac:') ? id.slice(0, 13) : id
}

function describeDoubts({ maybe_cost, missing_id }: UsageEntry): string {
  return [
    ...(maybe_cost === 0 ? [] : [`${dollars(maybe_cost)} perhaps not paid`]),
    ...(missing_id ? ['an ID was missing'] : []),
  ].join(', ')
}

export function dollars(amount: number): string {
  return `$${amount.toFixed(amount > 0 && amount < 0.01 ? 6 : 2)}`
}
