/** The entries below `src/` of the processes and threads that the program starts. */
export const workers = [
  'adapters/clips/child',
  'adapters/photos/child',
  'adapters/providers/stub/child',
  'adapters/sql/sqlite/reader-thread',
  'adapters/sql/sqlite/writer-thread',
  'app/upkeep/cleaner-thread',
  'payload-files/worker',
] as const

/**
 * Lists the packages that many bundles would hold: each is bundled once, in a file that they load. They are imported by name, as
 * their default exports get lost between two CommonJS files.
 */
export const sharedPackages: readonly string[] = [
  '@humanwhocodes/momoa',
  '@messageformat/parser',
  'commander',
  'kysely',
  'tinyglobby',
  'typebox',
  'typebox/schema',
  'undici',
]

/** Lists the modules below `src/` of that kind. */
export const sharedModules: readonly string[] = [
  'adapters/sql/migrations',
  'app',
  'catalog/catalog',
  'catalog/message-compiler',
  'config',
  'generated/payload-schema',
  'generated/review-assets',
  'generated/time-zones',
  'generated/validators',
  'insight/calendar',
  'insight/clauses',
  'insight/facts',
  'insight/rules/index',
  'insight/scenarios',
  'media/vocabulary',
  'runtime/data-dir',
  'runtime/program-name',
]

/** The entries that start most often. They hold all they need, as each further file takes 1 to 2 ms of a start. */
export const wholeEntries: readonly string[] = ['cli', 'commands/validate']
