import type { Routes } from '../../contract/index.js'
import type { ReplyBody } from '../../contract/route.js'

/** A usage sum in an answer of the service. */
export type UsageEntry = ReplyBody<Routes['getUsage']>['entries'][number]

export const usageGroups = ['pet', 'user', 'key', 'model', 'day'] as const
export type UsageGroup = (typeof usageGroups)[number]

const columns = [
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
  const rows = entries.map((entry) => columns.map((column) => toField(entry[column])))
  return [columns, ...rows].map((row) => `${row.join(',')}\r\n`).join('')
}

/** Quotes a field. Text that a spreadsheet would take for a formula gets an apostrophe in front. */
function toField(value: string | number | boolean | null): string {
  if (typeof value !== 'string') return value === null ? '' : String(value)
  const text = /^[=+\-@\t\r＝＋－＠]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Renders one line per entry below a header, in aligned columns. */
export function usageToLines(entries: readonly UsageEntry[], by: UsageGroup): string[] {
  if (entries.length === 0) return ['There is no usage.']
  const member = by === 'day' || by === 'model' ? by : (`${by}_id` as const)
  const head = [by, ...(by === 'pet' ? ['user'] : []), 'requests', 'units', 'cost', '']
  const rows = entries.map((entry) => [
    shorten(entry[member] || '-'),
    ...(by === 'pet' ? [shorten(entry.user_id ?? 'several')] : []),
    String(entry.requests),
    String(entry.units),
    describeCost(entry),
    entry.missing_id ? 'an ID was missing' : '',
  ])
  return align([head, ...rows])
}

/** Shortens the hash of an ID that must not be stored to a distinctive beginning. */
export function shorten(id: string): string {
  return id.startsWith('hmac:') ? id.slice(0, 13) : id
}

function describeCost({ cost, maybe_cost }: UsageEntry): string {
  return maybe_cost === 0 ? dollars(cost) : `${dollars(cost)} (${dollars(maybe_cost)} perhaps not paid)`
}

export function dollars(amount: number): string {
  return `$${amount.toFixed(amount > 0 && amount < 0.01 ? 6 : 2)}`
}

function align(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
