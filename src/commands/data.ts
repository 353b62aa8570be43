import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { describeContents, describeRestore, describeSnapshot } from '../app/upkeep/describe.js'
import { withExclusiveLock } from '../app/upkeep/exclusive-lock.js'
import { measureContents, resetDataDir } from '../app/upkeep/reset.js'
import { findInterrupted, finishRestore, restoreSnapshot } from '../app/upkeep/restore.js'
import { takeSnapshot } from '../app/upkeep/snapshot.js'
import { type Config, loadConfig } from '../config.js'
import { SvcError } from '../errors.js'
import { type DataDir, describeDataDir, openPart, requireDataDir } from '../runtime/data-dir.js'
import { toPrintable } from '../text/words.js'
import { printAnswer } from './client/run.js'
import type { CommandModule, CommandResult } from './command.js'
import { registerMove } from './data/move.js'
import { registerPrune } from './data/prune.js'
import { addStorageOptions, type StorageFlags } from './storage-options.js'

interface DataFlags extends StorageFlags {
  readonly json?: true
}

export const register: CommandModule['register'] = (program, finish) => {
  const data = program
    .command('data')
    .description('Back up the data folder, restore a backup, empty the folder, prune or move it.')
    .addHelpText('after', '\nExample:\n  svc data snapshot backup.tar\n')
  const declare = (usage: string, summary: string, help: string) =>
    addStorageOptions(data.command(usage).description(summary))
      .option('--json', 'print one JSON document')
      .addHelpText('after', help)

  declare('snapshot <file>', 'Back up everything except the log, also while a server runs.', snapshotHelp)
    .option('--force', 'replace an existing snapshot')
    .action(async (target: string, flags: DataFlags & { force?: true }) => {
      const dataDir = requireDataDir(loadFolderConfig(flags, 'snapshot').dataDir)
      const report = await takeSnapshot(dataDir, target, flags.force === true)
      finish(printAnswer(flags, report, describeSnapshot(report)))
    })

  declare('restore [snapshot]', 'Restore a snapshot into a data folder without a running server.', restoreHelp)
    .option('--force', 'replace the contents of the folder except its log and svc.config.json')
    .option('--finish', 'finish an interrupted restore or reset')
    .action(async (snapshot: string | undefined, flags: DataFlags & { force?: true; finish?: true }) => {
      const dataDir = describeDataDir(loadFolderConfig(flags, 'restore').dataDir)
      if (flags.finish) return finish(finishInterrupted(dataDir, flags))
      if (snapshot === undefined) throw new SvcError('invalid_request', 'Name the snapshot, or give --finish.')
      const report = await openPart(dataDir.path, () =>
        restoreSnapshot(dataDir, snapshot, snapshot, flags.force === true),
      )
      finish(printAnswer(flags, report, describeRestore(report)))
    })

  declare('reset', 'Remove all tasks, pictures, keys and logs, after a confirmation.', resetHelp)
    .option('--yes', 'do not ask')
    .action(async (flags: DataFlags & { yes?: true }) => finish(await reset(flags)))

  registerPrune(data, finish)
  registerMove(data, finish)
}

/** Loads the configuration of a command that copies or replaces files. Throws `invalid_request` if they are elsewhere. */
function loadFolderConfig(flags: DataFlags, name: string): Config {
  const config = loadConfig(flags)
  if (config.database === '' && config.objects === '') return config
  throw new SvcError(
    'invalid_request',
    `svc data ${name} works on a data folder only. Back up a database with pg_dump, and a bucket by its versions.`,
  )
}

function finishInterrupted(dataDir: DataDir, flags: DataFlags): CommandResult {
  return withExclusiveLock(dataDir, () => {
    const what = findInterrupted(dataDir)
    const finished = finishRestore(dataDir)
    const sentence = finished ? `The ${what} is finished.` : 'Nothing was interrupted; nothing was changed.'
    return printAnswer(flags, { data_dir: dataDir.path, finished }, [sentence])
  })
}

async function reset(flags: DataFlags & { yes?: true }): Promise<CommandResult> {
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
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    throw new SvcError('invalid_request', `This removes ${contents} from ${path} permanently: confirm with --yes.`)
  }
  const { askWhether } = await import('./ask.js')
  return askWhether(`Remove ${contents} from ${toPrintable(path)} permanently?`)
}

const snapshotHelp = `
A name that ends with .tar, .tar.gz or .tgz creates an archive, any other a folder. The snapshot has the database at one moment,
all files that it names, svc.config.json if it is in the folder, the secret that signs URLs, and the local key, so that keys and
URLs continue to work after a restore. It is readable by its owner only (mode 0600); protect it like the folder. It gets its
name when it is complete.

Examples:
  svc data snapshot backup.tar
  svc data snapshot /backups/svc-2026-11-26 --data-dir .svc
`

const restoreHelp = `
The snapshot is unpacked and verified before anything is changed. After an interrupted restore, all other commands refuse the
folder until --finish completes it. Tasks that were pending at the snapshot run again. A svc.config.json in the folder stays;
without one, that of the snapshot is restored and its models are used.

Examples:
  svc data restore backup.tar --data-dir .svc
  svc data restore backup.tar --data-dir .svc --force
`

const resetHelp = `
The folder itself stays, and so do svc.config.json, whose models the next start uses, and files that are not of svc. The
command fails while a server or another command uses the folder.

Example:
  svc data reset --yes --data-dir .svc
`
