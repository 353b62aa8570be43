import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Command, Option } from 'commander'
import type { CheckResult } from '../app/doctor/check-result.js'
import { checkPlace } from '../app/doctor/run-checks.js'
import {
  describeContents,
  describeErasure,
  describeMove,
  describePrune,
  describeRestore,
  describeSnapshot,
} from '../app/upkeep/describe.js'
import { pruneOld } from '../app/upkeep/prune.js'
import { measureContents, resetDataDir } from '../app/upkeep/reset.js'
import { restoreSnapshot } from '../app/upkeep/restore.js'
import { takeSnapshot } from '../app/upkeep/snapshot.js'
import { type Config, loadConfig } from '../config.js'
import { SvcError } from '../errors.js'
import { sharedId } from '../media/task-base.js'
import { type DataDir, describeDataDir, openPart, requireDataDir } from '../runtime/data-dir.js'
import { parseDurationMs } from '../text/time.js'
import { count, formatSize, toPrintable } from '../text/words.js'
import { printAnswer } from './client/run.js'
import { type CommandModule, type CommandResult, type Finish, requirePerson } from './command.js'
import { addStorageOptions, type PrintFlags } from './storage-options.js'

export const register: CommandModule['register'] = (program, finish) => {
  const data = program
    .command('data')
    .description('Back up the data directory, restore a backup, empty, prune or move it.')
    .addHelpText('after', '\nExample:\n  svc data snapshot backup.tar\n')
  const declare = (usage: string, summary: string, help: string) =>
    data
      .command(usage)
      .description(summary)
      .use(addStorageOptions)
      .option('--json', 'print one JSON document')
      .addHelpText('after', help)

  declare('snapshot <file>', 'Back up everything except the log; works while a server is running.', snapshotHelp)
    .option('--force', 'replace an existing snapshot')
    .action(async (target: string, flags: PrintFlags & { force?: true }) => {
      const dataDir = requireDataDir(loadFolderConfig(flags, 'snapshot').dataDir)
      const report = await takeSnapshot(dataDir, target, flags.force === true)
      finish(printAnswer(flags, report, describeSnapshot(report)))
    })

  declare('restore [snapshot]', 'Restore a snapshot into an empty data directory.', restoreHelp)
    .addOption(new Option('--force').hideHelp())
    .addOption(new Option('--finish').hideHelp())
    .action(async (snapshot: string | undefined, flags: PrintFlags & { force?: true; finish?: true }) => {
      if (flags.force || flags.finish) throw new SvcError('invalid_request', removedFlags)
      if (snapshot === undefined) throw new SvcError('invalid_request', 'Name the snapshot.')
      const config = loadFolderConfig(flags, 'restore')
      const dataDir = describeDataDir(config.dataDir)
      const report = await openPart(dataDir.path, () => restoreSnapshot(dataDir, snapshot, snapshot))
      const findings = await checkPlace(config, false)
      finish(
        printAnswer(flags, { ...report, findings }, [...describeRestore(report), ...findings.flatMap(describeFinding)]),
      )
    })

  declare('reset', 'Remove all tasks, pictures, keys and logs, after a confirmation.', resetHelp)
    .option('--yes', 'do not ask')
    .action(async (flags: PrintFlags & { yes?: true }) => finish(await reset(flags)))

  declare('prune', 'Remove what is old, or all that is stored of a pet or a user.', pruneHelp)
    .option('--older-than <time>', 'remove finished tasks, home cards and log lines of this age or more, such as 30d')
    .option('--pet <id>', 'remove all that is stored of a pet, and its ID from usage')
    .option('--user <id>', 'remove all that is stored of a user, and the ID from usage')
    .option('--identity-assets', 'also remove finished avatars (identity assets)')
    .option('--usage', 'also remove the archive of insights and single usage records; their sums per day stay')
    .option('--dry-run', 'print what would be removed, and change nothing')
    .action(async (flags: PruneFlags) => finish(await prune(flags)))

  registerMove(data, finish)
}

function describeFinding({ check, message, fix }: CheckResult): string[] {
  return [`  ${check.padEnd(8)}  ${message}`, ...(fix === undefined ? [] : [`  ${' '.repeat(8)}  ${fix}`])]
}

/** Loads the configuration of a command that copies or replaces files. Throws `invalid_request` if they are elsewhere. */
function loadFolderConfig(flags: PrintFlags, name: string): Config {
  const config = loadConfig(flags)
  if (config.database === '' && config.objects === '') return config
  throw new SvcError(
    'invalid_request',
    `svc data ${name} works on a data directory only. Back up a database with pg_dump, and a bucket by its versions.`,
  )
}

async function reset(flags: PrintFlags & { yes?: true }): Promise<CommandResult> {
  const config = loadFolderConfig(flags, 'reset')
  const dataDir = describeDataDir(config.dataDir)
  const contents = measureContents(dataDir)
  if (contents.files > 0 && !flags.yes && !(await isConfirmed(dataDir, describeContents(contents)))) {
    process.stderr.write('Nothing was changed.\n')
    return 1
  }
  const removed = await openPart(dataDir.path, () => resetDataDir(dataDir))
  const { configFile } = config
  const stays = dirname(configFile) === dataDir.path && existsSync(configFile)
  return printAnswer(flags, { data_dir: dataDir.path, ...removed }, [
    `Removed ${describeContents(removed)} from ${dataDir.path}.`,
    ...(stays ? [`  ${configFile} stays: the next start uses its models.`] : []),
  ])
}

async function isConfirmed({ path }: DataDir, contents: string): Promise<boolean> {
  requirePerson(`This removes ${contents} from ${path} permanently: confirm with --yes.`)
  const { askWhether } = await import('./ask.js')
  return askWhether(`Remove ${contents} from ${toPrintable(path)} permanently?`)
}

const removedFlags =
  'svc data restore fills an empty directory only, and an interrupted one is repeated without a flag: ' +
  'name another directory, or empty this one with svc data reset.'

const snapshotHelp = `
Writes an archive: a name that ends with .tar, .tar.gz or .tgz. It has the database at one moment, all files that it names,
svc.config.json if it is in the folder, the secret that signs URLs, and the local key, so that keys and URLs continue to work
after a restore. It is readable by its owner only (mode 0600); protect it like the folder. It gets its name when it is complete.

Examples:
  svc data snapshot backup.tar
  svc data snapshot /backups/svc-2026-11-26.tgz --data-dir .svc
`

const restoreHelp = `
The folder must be empty, or not exist. The archive is unpacked and its database checked before any file is in its place; then
the checks of svc doctor on the folder run. If the command is interrupted, all other commands refuse the folder: run it again,
it starts afresh. Tasks that were pending at the snapshot run again. A svc.config.json in the folder stays; without one, that
of the snapshot is restored and its models are used.

Examples:
  svc data restore backup.tar --data-dir restored
  svc data reset --yes && svc data restore backup.tar
`

const resetHelp = `
The folder itself stays, and so do svc.config.json, whose models the next start uses, and files that are not of svc. The
command fails while a server or another command uses the data directory.

Example:
  svc data reset --yes --data-dir .svc
`

interface PruneFlags extends PrintFlags {
  readonly olderThan?: string
  readonly pet?: string
  readonly user?: string
  readonly identityAssets?: true
  readonly usage?: true
  readonly dryRun?: true
}

async function prune(all: PruneFlags): Promise<CommandResult> {
  const { olderThan, pet, user, identityAssets, usage, dryRun, ...flags } = all
  const choice = { identityAssets: identityAssets === true, usage: usage === true, dryRun: dryRun === true }
  if ([olderThan, pet, user].filter((given) => given !== undefined).length !== 1) {
    throw new SvcError('invalid_request', 'Give one of --older-than, --pet and --user.')
  }
  if (olderThan !== undefined) {
    const report = await pruneOld(loadConfig(flags), parseDurationMs(olderThan, '--older-than'), choice)
    return printAnswer(flags, report, describePrune(report))
  }
  if (choice.identityAssets || choice.usage) {
    throw new SvcError('invalid_request', '--identity-assets and --usage go with --older-than only.')
  }
  const owner = pet === undefined ? ({ of: 'user', id: user ?? '' } as const) : ({ of: 'pet', id: pet } as const)
  requireId(owner)
  const { eraseOwner } = await import('../app/upkeep/erase.js')
  const report = await eraseOwner(loadConfig(flags), { ...owner, dryRun: choice.dryRun })
  return printAnswer(flags, report, describeErasure(report))
}

/** Throws `invalid_request` for an ID that no call can have, and for the owner of the shared library. */
function requireId({ of, id }: { readonly of: 'pet' | 'user'; readonly id: string }): void {
  const isPossible = of === 'pet' ? /^[\w-]{1,128}$/.test(id) : /^.{1,128}$/su.test(id) && !/\p{Cs}/u.test(id)
  const form = of === 'pet' ? '1 to 128 letters, digits, - and _' : '1 to 128 characters'
  if (!isPossible) throw new SvcError('invalid_request', `--${of} is ${JSON.stringify(id)}; it must be ${form}.`)
  if (id !== sharedId) return
  throw new SvcError('invalid_request', `--${of} ${id} names the pictures of the shared library, which all pets use.`)
}

const pruneHelp = `
Works while a server is running. With --older-than, it keeps unfinished tasks; finished avatars (unless --identity-assets) with their newest
animation; the sources of newer tasks; files that any other task names; and always the sums of usage and cost per day. With
--usage it also removes old records of single calls, and the archive of insights. It always removes stored files without a task,
old selections of diary pictures, and sums of budgets of the months before the last one.
The file of a folder's database does not shrink: its free space is reused.

With --pet or --user, it removes the tasks, files, home cards, selections, archived insights and log lines of the ID, and prints
a receipt. Unfinished work is ended first, and what it has bought is booked. Usage and budgets keep their numbers, without the ID.
Files that tasks of others name stay, and so do keys, fault rules, snapshots and backups that name it. --user leaves the IDs of the
user's pets in usage: erase each with --pet. If the command is interrupted, run it again.

SVC_RETENTION_DAYS=30 makes a service run svc data prune --older-than 30d once a day.

Examples:
  svc data prune --older-than 30d --dry-run
  svc data prune --pet rex --json
`

/** Declares `svc data move`. */
function registerMove(data: Command, finish: Finish): void {
  data
    .command('move')
    .description('Move a data directory to a database and a bucket, or back, without a running server.')
    .option('--from <folder>', 'the data directory to copy to the database and the bucket')
    .option('--to <folder>', 'the empty directory to copy the database and the bucket to')
    .option('--database <url>', 'PostgreSQL database (SVC_DATABASE)')
    .option('--objects <address>', 'S3-compatible bucket (SVC_OBJECTS)')
    .option('--json', 'print one JSON document')
    .addHelpText('after', help)
    .action(async (flags: Omit<PrintFlags, 'dataDir'> & { readonly from?: string; readonly to?: string }) => {
      const { from, to } = flags
      const folder = from ?? to
      if (folder === undefined || (from !== undefined && to !== undefined)) {
        throw new SvcError('invalid_request', 'Give --from or --to, with the data directory.')
      }
      const config = loadConfig({ ...flags, dataDir: folder })
      const { moveData } = await import('../app/upkeep/move.js')
      const report = await moveData(config, from === undefined ? 'folder' : 'fleet', createMoveProgress())
      const lines = describeMove(report, config, from !== undefined)
      finish(printAnswer(flags, report, lines))
    })
}

const everyMs = 1000

/** Shows the progress of a move on standard error: a line per second at most, and one for each table that is done. */
function createMoveProgress(stream: NodeJS.WriteStream = process.stderr) {
  const sums = new Map<string, number>()
  let shown = ''
  let shownAt = 0
  const show = (what: string) => {
    const amount = sums.get(what) ?? 0
    const text = what === 'objects' ? formatSize(amount) : count(amount, 'row')
    stream.write(`${what}: ${text}\n`)
    shownAt = performance.now()
  }
  return (what: string, amount: number): void => {
    sums.set(what, (sums.get(what) ?? 0) + amount)
    if (what !== shown && shown !== '') show(shown)
    else if (performance.now() - shownAt > everyMs) show(what)
    shown = what
  }
}

const help = `
Everything moves: tasks, pictures, keys, usage, archive and log lines. With --database alone, or --objects alone, the other
part stays in the folder. All rows are copied in one transaction; the numbers of files, bytes and rows are compared. The source
stays as it is. If the command is interrupted, empty the target and run it again. No server can
start on the target before it is complete, and no server may run on the source.

The secret that signs addresses and hashes IDs stays the same. From a folder it is that of the folder, if SVC_SECRET is not set:
the processes of the database need it as SVC_SECRET_FILE or SVC_SECRET. To a folder, it is written into the folder.

Examples:
  svc data move --from .svc --database postgres://svc@db.example.com/svc --objects s3://my-bucket
  svc data move --to restored --database postgres://svc@db.example.com/svc --objects s3://my-bucket
`
