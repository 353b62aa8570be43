import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Command } from 'commander'
import { openStore } from '../app/store.js'
import { requireAlone } from '../app/upkeep/alone.js'
import { pruneDataDir } from '../app/upkeep/prune.js'
import { measureContents, resetDataDir } from '../app/upkeep/reset.js'
import { findCutShort, finishRestore, restoreSnapshot } from '../app/upkeep/restore.js'
import { takeSnapshot } from '../app/upkeep/snapshot.js'
import { type ConfigFlags, loadConfig } from '../config.js'
import { type DataDir, describeDataDir, openPart, requireDataDir } from '../data-dir.js'
import { SvcError } from '../errors.js'
import { printJson, printLines } from './client/run.js'
import type { CommandModule, CommandResult } from './command.js'
import { describeContents, describePrune, describeRestore, describeSnapshot } from './data/describe.js'
import { parseDurationMs } from './input/duration.js'

interface SharedFlags extends Pick<ConfigFlags, 'dataDir'> {
  readonly json?: true
}

export const register: CommandModule['register'] = (program, finish) => {
  const data = program
    .command('data')
    .description('Copy the data folder, put a copy back, empty it, or thin it out.')
    .addHelpText('after', '\nExample:\n  svc data snapshot backup.tar\n')
  const declare = (usage: string, summary: string, help: string) =>
    data
      .command(usage)
      .description(summary)
      .option('--data-dir <folder>', 'folder of the service (SVC_DATA_DIR, default .svc)')
      .option('--json', 'print one JSON document')
      .addHelpText('after', help)
  declareSnapshot(declare, finish)
  declareRestore(declare, finish)
  declareReset(declare, finish)
  declarePrune(declare, finish)
}

type Declare = (usage: string, summary: string, help: string) => Command
type Finish = Parameters<CommandModule['register']>[1]

function declareSnapshot(declare: Declare, finish: Finish): void {
  declare('snapshot <file>', 'Copy all that is in it but the log, also while a server runs.', snapshotHelp)
    .option('--force', 'replace a snapshot that is there')
    .action(async (target: string, flags: SharedFlags & { force?: true }) => {
      const dataDir = requireDataDir(loadConfig(flags).dataDir)
      const report = await takeSnapshot(dataDir, target, flags.force === true)
      print(flags, report, describeSnapshot(report))
      finish(0)
    })
}

function declareRestore(declare: Declare, finish: Finish): void {
  declare('restore [snapshot]', 'Put a snapshot into a data folder that no server runs on.', restoreHelp)
    .option('--force', 'replace what is in the folder; its log and svc.config.json stay')
    .option('--finish', 'end a restore or a reset that was cut short')
    .action(async (snapshot: string | undefined, flags: SharedFlags & { force?: true; finish?: true }) => {
      const dataDir = describeDataDir(loadConfig(flags).dataDir)
      if (flags.finish) finishCutShort(dataDir, flags)
      else {
        if (snapshot === undefined) throw new SvcError('invalid_request', 'Name the snapshot, or give --finish.')
        const report = await openPart(dataDir.path, () =>
          restoreSnapshot(dataDir, snapshot, snapshot, flags.force === true),
        )
        print(flags, report, describeRestore(report))
      }
      finish(0)
    })
}

function finishCutShort(dataDir: DataDir, flags: SharedFlags): void {
  const hold = requireAlone(dataDir)
  try {
    const what = findCutShort(dataDir)
    const finished = finishRestore(dataDir)
    const sentence = finished ? `The ${what} is finished.` : 'Nothing was cut short; nothing was changed.'
    print(flags, { data_dir: dataDir.path, finished }, [sentence])
  } finally {
    hold.release()
  }
}

function declareReset(declare: Declare, finish: Finish): void {
  declare('reset', 'Remove all tasks, pictures, keys and logs. It asks first.', resetHelp)
    .option('--yes', 'do not ask')
    .action(async (flags: SharedFlags & { yes?: true }) => finish(await reset(flags)))
}

async function reset(flags: SharedFlags & { yes?: true }): Promise<CommandResult> {
  const config = loadConfig(flags)
  const dataDir = describeDataDir(config.dataDir)
  const contents = measureContents(dataDir)
  if (contents.files > 0 && !flags.yes && !(await isConfirmed(dataDir, describeContents(contents)))) {
    process.stderr.write('Nothing was changed.\n')
    return 1
  }
  const removed = await openPart(dataDir.path, () => resetDataDir(dataDir))
  const { configFile } = config
  const stays = dirname(configFile) === dataDir.path && existsSync(configFile)
  print(flags, { data_dir: dataDir.path, ...removed }, [
    `Removed ${describeContents(removed)} from ${dataDir.path}.`,
    ...(stays ? [`  ${configFile} stays: the next start uses its models.`] : []),
  ])
  return 0
}

async function isConfirmed({ path }: DataDir, contents: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    throw new SvcError('invalid_request', `This removes ${contents} from ${path} for ever: say so with --yes.`)
  }
  // Loaded when it asks.
  const { askWhether } = await import('./data/ask.js')
  return askWhether(`Remove ${contents} from ${path} for ever?`)
}

interface PruneFlags extends SharedFlags {
  readonly olderThan: string
  readonly identityAssets?: true
  readonly dryRun?: true
}

function declarePrune(declare: Declare, finish: Finish): void {
  declare('prune', 'Remove finished tasks that are old, with their files, and old logs.', pruneHelp)
    .requiredOption('--older-than <time>', 'how long ago they ended at least, such as 30d')
    .option('--identity-assets', 'finished avatars (identity assets), too')
    .option('--dry-run', 'say what would be removed, and change nothing')
    .action(async (flags: PruneFlags) => {
      const before = Date.now() - parseDurationMs(flags.olderThan, '--older-than')
      const dataDir = requireDataDir(loadConfig(flags).dataDir)
      // A database of an older version is brought up to date first.
      await (await openStore(dataDir)).close()
      const options = { before, identityAssets: flags.identityAssets === true, dryRun: flags.dryRun === true }
      const report = await openPart(dataDir.path, () => pruneDataDir(dataDir, options))
      print(flags, report, describePrune(report))
      finish(0)
    })
}

function print({ json }: SharedFlags, document: unknown, lines: readonly string[]): void {
  if (json) printJson(document)
  else printLines(lines)
}

const snapshotHelp = `
A name that ends with .tar, .tar.gz or .tgz makes an archive, any other a folder. It has the database as it is at one moment,
all files that it names, svc.config.json if that lies in the folder, the secret that signs addresses, and the local key: with it
keys and addresses go on to work. So it is for its owner alone (mode 0600); keep it as you keep the folder. It gets its name when
it is whole.

Examples:
  svc data snapshot backup.tar
  svc data snapshot /backups/svc-2026-11-26 --data-dir .svc
`

const restoreHelp = `
The snapshot is unpacked and verified before anything is changed; a restore that is cut short is refused by all other commands
until --finish ends it. Tasks that were waiting when the snapshot was taken are taken up again. A svc.config.json that is in the
folder stays; where there is none, that of the snapshot is put there, and its models are used.

Examples:
  svc data restore backup.tar --data-dir .svc
  svc data restore backup.tar --data-dir .svc --force
`

const resetHelp = `
The folder itself stays, and so do svc.config.json, whose models the next start uses, and whatever in it is not of svc. It is
refused while a server or a command works on the folder.

Example:
  svc data reset --yes --data-dir .svc
`

const pruneHelp = `
Also while a server runs. Kept are: what is not finished; finished avatars (unless --identity-assets) with their newest
animation; what a newer task was made from; files that any other task names; usage and cost, always. Stored files that no task
knows are removed, too. The database file does not shrink: what becomes free in it is used again.

Examples:
  svc data prune --older-than 30d --dry-run
  svc data prune --older-than 30d
`
