/**
 * The folders whose files run again on PostgreSQL and a bucket: `npm run test:fleet`. Suites of the store, the worker and the
 * objects run on both in every run; those of the store run through PgBouncer with a fleet.
 */
export const fleetFolders: readonly string[] = ['http', 'cli', 'app']

/**
 * The files that `npm test` runs only when a word names them, and the command that does: they need several machines, a full
 * database, another bucket or the npm registry.
 */
export const otherSuites: Readonly<Record<string, string>> = {
  'server/drill': 'npm run test:fleet',
  'adapters/sql/plans': 'npm run test:fleet',
  'adapters/objects/s3/swift': 'npm run test:fleet',
  'lab/nodes/package': 'npm run test:nodes',
}

/** The files of these folders that do not, and the reason. Single tests in the others are skipped with theirs. */
export const folderFiles: Readonly<Record<string, string>> = {
  'app/check-vendor': 'calls no storage',
  'app/storage/storage': 'starts a database and a bucket of its own, in every run',
  'app/records/folder-calls': 'the log of a data directory',
  'app/upkeep/cleaner': 'the files of a data directory',
  'app/upkeep/daily-sums': 'calls no storage',
  'app/upkeep/move': 'starts a database and a bucket of its own, in every run',
  'app/upkeep/prune': 'starts a database and a bucket of its own, in every run',
  'app/upkeep/restore': 'the files of a data directory',
  'app/upkeep/leftovers': 'the files of a data directory',
  'cli/banner': 'calls no storage',
  'cli/completion': 'calls no storage',
  'cli/data-prune': 'the files of a data directory',
  'cli/data-restore': 'the files of a data directory',
  'cli/data-snapshot': 'the files of a data directory',
  'cli/demo': 'a temporary service in a data directory',
  'cli/doctor': 'the files of a data directory; a database and a bucket are examined in app/storage',
  'cli/exec': 'a temporary service in a data directory',
  'cli/help': 'calls no storage',
  'cli/insight': 'calls no storage',
  'cli/insight-check': 'calls no storage',
  'cli/insight-review': 'calls no storage',
  'cli/kill': 'the files of a data directory after kills; chaos kills machines',
  'cli/limits': 'the limits of a process on its files',
  'cli/logs': 'the log of a data directory; that of a database is in http/requests',
  'cli/model-names': 'calls no storage',
  'cli/models-kill': 'copies a data directory; chaos kills machines with real models',
  'cli/moved-files': 'the files of a data directory',
  'cli/next-commands': 'the messages about a data directory',
  'cli/payload': 'calls no storage',
  'cli/readme': "runs the README's commands, which are on a data directory",
  'cli/serve': 'the first key and the files of a data directory; chaos starts and stops machines',
  'cli/validate': 'calls no storage',
}
