import type { PruneReport } from '../../app/upkeep/prune.js'
import type { Contents } from '../../app/upkeep/reset.js'
import type { RestoreReport } from '../../app/upkeep/restore.js'
import type { SnapshotReport } from '../../app/upkeep/snapshot.js'
import { formatSize } from '../../size.js'
import { count } from '../output/words.js'

/** Bytes as people read them, and as they are. */
function describeBytes(bytes: number): string {
  return bytes < 1024 ? count(bytes, 'byte') : `${formatSize(bytes)} (${count(bytes, 'byte')})`
}

export function describeSnapshot(report: SnapshotReport): string[] {
  return [
    `Wrote ${report.path}: ${describeBytes(report.size_bytes)}.`,
    `  database  ${describeBytes(report.database_bytes)}`,
    `  objects   ${count(report.objects, 'file')}, ${describeBytes(report.object_bytes)}`,
    '  It holds the secret of the service and the local key: keep it as you keep the folder.',
    ...describeMissing(report.missing),
  ]
}

export function describeRestore(report: RestoreReport): string[] {
  return [
    `Restored ${report.data_dir} as of ${report.created_at}: ${describeBytes(report.size_bytes)}, ${count(report.objects, 'object')}.`,
    ...(report.replaced ? ['  What was there was replaced.'] : []),
    ...configSentences[report.config],
    ...describeMissing(report.missing),
  ]
}

const configSentences: Readonly<Record<RestoreReport['config'], readonly string[]>> = {
  restored: ['  svc.config.json came with it: its models are used.'],
  kept: ['  svc.config.json of the folder stays as it was: its models are used.'],
  none: [],
}

function describeMissing(missing: readonly string[]): string[] {
  if (missing.length === 0) return []
  return [
    `  ${count(missing.length, 'file')} that tasks name ${missing.length === 1 ? 'was' : 'were'} not there; svc doctor says which.`,
  ]
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

export function describePrune(report: PruneReport): string[] {
  const tasks = Object.entries(report.tasks).map(([kind, amount]) => count(amount, ...(kinds[kind] ?? [kind, kind])))
  return [
    `${report.dry_run ? 'Would remove' : 'Removed'} what ended before ${report.before}:`,
    `  tasks    ${tasks.join(', ') || 'none'}`,
    `  objects  ${count(report.objects, 'file')}, ${describeBytes(report.object_bytes)}`,
    `  logs     ${count(report.log_files, 'file')}, ${describeBytes(report.log_bytes)}`,
    ...(report.dry_run ? ['Nothing was changed.'] : []),
  ]
}
