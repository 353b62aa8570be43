import { describeStorage, type StorageConfig } from '../../config/storage.js'
import { quote } from '../../text/spelling.js'
import { count, formatSize } from '../../text/words.js'
import type { EraseReport } from './erase.js'
import type { MoveReport } from './move.js'
import type { PruneReport } from './prune.js'
import type { Contents } from './reset.js'
import type { RestoreReport } from './restore.js'
import type { SnapshotReport } from './snapshot.js'

/** Renders bytes for people, with the exact number. */
function describeBytes(bytes: number): string {
  return bytes < 1024 ? count(bytes, 'byte') : `${formatSize(bytes)} (${count(bytes, 'byte')})`
}

export function describeSnapshot(report: SnapshotReport): string[] {
  return [
    `Wrote ${report.path}: ${describeBytes(report.size_bytes)}.`,
    `  database  ${describeBytes(report.database_bytes)}`,
    `  objects   ${count(report.objects, 'file')}, ${describeBytes(report.object_bytes)}`,
    '  It holds the secret of the service and the local key: protect it like the data directory.',
  ]
}

export function describeRestore(report: RestoreReport): string[] {
  return [
    `Restored ${report.data_dir}: ${describeBytes(report.size_bytes)}, ${count(report.objects, 'object')}.`,
    ...configSentences[report.config],
  ]
}

const configSentences: Readonly<Record<RestoreReport['config'], readonly string[]>> = {
  restored: ['  svc.config.json was restored: its models are used.'],
  kept: ['  svc.config.json of the data directory was kept: its models are used.'],
  none: [],
}

export function describeContents({ files, size_bytes, objects }: Contents): string {
  if (files === 0) return 'nothing'
  const pictures = objects === 0 ? '' : `, ${count(objects, 'picture or clip', 'pictures and clips')} among them`
  return `${count(files, 'file')} with ${describeBytes(size_bytes)}${pictures}`
}

const kinds: Readonly<Record<string, readonly [one: string, more: string]>> = {
  avatar: ['avatar task', 'avatar tasks'],
  animation: ['animation task', 'animation tasks'],
  diary: ['diary task', 'diary tasks'],
  diary_library: ['diary library', 'diary libraries'],
}

const rowKinds: Readonly<Record<keyof PruneReport['rows'], readonly [one: string, more: string]>> = {
  home_insights: ['home card', 'home cards'],
  selections: ['selection', 'selections'],
  spending: ['sum of budgets', 'sums of budgets'],
}

function describeRows(rows: PruneReport['rows']): string {
  const kept = Object.entries(rows).filter(([, amount]) => amount > 0)
  return kept.map(([table, amount]) => count(amount, ...rowKinds[table as keyof typeof rows])).join(', ') || 'none'
}

export function describeMove(report: MoveReport, config: StorageConfig, isFromFolder: boolean): string[] {
  const place = describeStorage(config)
  const [source, target] = isFromFolder ? [report.data_dir, place] : [place, report.data_dir]
  return [
    `Moved ${source} to ${target}; both hold the same now.`,
    `  rows     ${count(report.rows, 'row')} of ${count(Object.keys(report.tables).length, 'table')}`,
    `  objects  ${count(report.objects, 'file')}, ${describeBytes(report.object_bytes)}`,
    `  serve    ${describeServe(report, config, isFromFolder)}`,
    `The source is unchanged: remove it when the service runs on ${target}.`,
  ]
}

/** Describes how to serve a service after its move. */
function describeServe({ data_dir, secret_file }: MoveReport, config: StorageConfig, isFromFolder: boolean): string {
  const { database, objects } = config
  if (!isFromFolder) return `svc serve --data-dir ${quote(data_dir)}`
  const variables = [database !== '' && 'SVC_DATABASE', objects !== '' && 'SVC_OBJECTS'].filter(
    (name) => name !== false,
  )
  const isPart = variables.length < 2
  return [
    `svc serve${isPart ? ` --data-dir ${quote(data_dir)}` : ''}, with the same ${variables.join(' and ')}`,
    ...(secret_file === null
      ? []
      : [`all processes with SVC_SECRET_FILE=${secret_file}, or its content in SVC_SECRET`]),
  ].join('; ')
}

function describeTasks(tasks: PruneReport['tasks']): string {
  return (
    Object.entries(tasks)
      .map(([kind, amount]) => count(amount, ...(kinds[kind] ?? [kind, kind])))
      .join(', ') || 'none'
  )
}

const fileKinds: Readonly<Record<keyof EraseReport['files'], readonly [one: string, more: string]>> = {
  photos: ['photo', 'photos'],
  pictures: ['avatar picture', 'avatar pictures'],
  clips: ['clip file', 'clip files'],
  diary_pictures: ['diary picture', 'diary pictures'],
}

/** Describes what an erasure removed: the receipt for people. */
export function describeErasure(report: EraseReport): string[] {
  const { dry_run: isPlan, pet_id: petId, user_id: userId, files, rows } = report
  const whose = petId === undefined ? `user ${userId}` : `pet ${petId}`
  const found = Object.entries(fileKinds).flatMap(([kind, words]) => {
    const { count: amount, bytes } = files[kind as keyof typeof files]
    return amount === 0 ? [] : [`${count(amount, ...words)} (${describeBytes(bytes)})`]
  })
  return [
    `${isPlan ? 'Would erase' : 'Erased'} the ${whose} at ${report.erased_at}:`,
    `  tasks    ${describeTasks(report.tasks)}; ${count(report.cancelled_units, 'unfinished picture or clip', 'unfinished pictures and clips')}`,
    `  objects  ${found.join(', ') || 'none'}`,
    `  rows     ${count(rows.home_insights, 'home card')}, ${count(rows.selections, 'selection')}, ${count(rows.insight_archive, 'archived insight')}`,
    `  usage    ${count(report.usage_rows, 'row')} without the ID; the numbers stay`,
    `  log      ${count(report.log_lines, 'line')}`,
    ...(isPlan ? ['Nothing was changed.'] : []),
  ]
}

export function describePrune(report: PruneReport): string[] {
  const former =
    report.log_files === 0 ? '' : `; ${count(report.log_files, 'file')}, ${describeBytes(report.log_bytes)}`
  return [
    `${report.dry_run ? 'Would remove' : 'Removed'} what ended before ${report.before}:`,
    `  tasks    ${describeTasks(report.tasks)}`,
    `  objects  ${count(report.objects, 'file')}, ${describeBytes(report.object_bytes)}`,
    `  rows     ${describeRows(report.rows)}`,
    ...(report.usage_rows === 0 ? [] : [`  usage    ${count(report.usage_rows, 'row')}; the sums per day stay`]),
    `  log      ${count(report.log_lines, 'line')}${former}`,
    ...(report.dry_run ? ['Nothing was changed.'] : []),
  ]
}
