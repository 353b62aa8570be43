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
