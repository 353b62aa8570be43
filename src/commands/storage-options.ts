import type { Command } from 'commander'
import { hidePassword } from '../config/storage.js'
import type { ConfigFlags } from '../config.js'
import { quote } from '../text/spelling.js'

/** The options that name the state of a service. */
export type StorageFlags = Pick<ConfigFlags, 'dataDir' | 'database' | 'objects'>

/** The same, of a command that prints a document. */
export interface PrintFlags extends StorageFlags {
  readonly json?: true
}

/** Declares the options that name the state of a service. */
export function addStorageOptions(
  command: Command,
  folder = 'data directory of the service (SVC_DATA_DIR, default .svc)',
): Command {
  return command
    .option('--data-dir <folder>', folder)
    .option('--database <url>', 'PostgreSQL database in place of the file in the data directory (SVC_DATABASE)')
    .option('--objects <address>', 'S3-compatible bucket in place of the files in the data directory (SVC_OBJECTS)')
}

/** Returns the options as given, for the text of another command. Without a password. */
export function repeatStorageOptions({ dataDir, database, objects }: StorageFlags): string {
  const flags = { '--data-dir': dataDir, '--database': database && hidePassword(database), '--objects': objects }
  return Object.entries(flags)
    .flatMap(([flag, value]) => (value === undefined ? [] : [` ${flag} ${quote(value)}`]))
    .join('')
}
