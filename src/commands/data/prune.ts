import type { Command } from 'commander'
import { openStore } from '../../app/storage/open-store.js'
import { describePrune } from '../../app/upkeep/describe.js'
import { pruneStorage } from '../../app/upkeep/prune.js'
import { loadConfig } from '../../config.js'
import { parseDurationMs } from '../../text/duration.js'
import { printAnswer } from '../client/run.js'
import type { Finish } from '../command.js'
import { addStorageOptions, type StorageFlags } from '../storage-options.js'

interface PruneFlags extends StorageFlags {
  readonly olderThan: string
  readonly identityAssets?: true
  readonly usage?: true
  readonly dryRun?: true
  readonly json?: true
}

/** Declares `svc data prune`. */
export function registerPrune(data: Command, finish: Finish): void {
  addStorageOptions(
    data
      .command('prune')
      .description('Remove old finished tasks with their files, old home cards, and old lines of the log.'),
  )
    .option('--json', 'print one JSON document')
    .requiredOption('--older-than <time>', 'minimum time since they finished, such as 30d')
    .option('--identity-assets', 'also remove finished avatars (identity assets)')
    .option('--usage', 'also remove the archive of insights and single usage records; their sums per day stay')
    .option('--dry-run', 'print what would be removed, and change nothing')
    .addHelpText('after', help)
    .action(async ({ olderThan, identityAssets, usage, dryRun, json, ...flags }: PruneFlags) => {
      const ageMs = parseDurationMs(olderThan, '--older-than')
      const config = loadConfig(flags)
      const choice = { identityAssets: identityAssets === true, usage: usage === true, dryRun: dryRun === true }
      // Migrates a database of an older version first.
      const store = await openStore(config, { mayCreate: false })
      const now = store.now()
      const before = now - ageMs
      const options = { now, before, ...choice }
      await store.close()
      const report = await pruneStorage(config, options)
      finish(printAnswer({ ...(json && { json }) }, report, describePrune(report)))
    })
}

const help = `
Works also while a server runs. It keeps unfinished tasks; finished avatars (unless --identity-assets) with their newest
animation; the sources of newer tasks; files that any other task names; and always the sums of usage and cost per day. With
--usage it also removes old records of single calls, and the archive of insights. It always removes stored files without a task,
old selections of diary pictures, and sums of budgets of the months before the last one.
The file of a folder's database does not shrink: its free space is reused.

Examples:
  svc data prune --older-than 30d --dry-run
  svc data prune --older-than 30d
`
