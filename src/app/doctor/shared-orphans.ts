import type { StorageConfig } from '../../config/storage.js'
import { isSvcError } from '../../errors.js'
import { formatSize } from '../../text/size.js'
import { count } from '../../text/words.js'
import { openForUpkeep } from '../storage/upkeep.js'
import { iterateOrphansOf } from '../upkeep/find-orphans.js'
import { forEachObject } from '../upkeep/for-each-object.js'
import { type CheckResult, ok, problem } from './check-result.js'

/** Removes the stored files of a database or a bucket that no row has named for an hour. */
export async function removeOrphans(config: StorageConfig, now: number): Promise<CheckResult> {
  const removed = { files: 0, sizeBytes: 0 }
  const describe = () => `${count(removed.files, 'stored file')} with ${formatSize(removed.sizeBytes)} without a task`
  try {
    const { database, objects, close } = await openForUpkeep(config)
    try {
      for await (const orphans of iterateOrphansOf(database, objects, now)) {
        await forEachObject(orphans, async ({ key, sizeBytes }) => {
          await objects.delete(key)
          removed.files += 1
          removed.sizeBytes += sizeBytes
        })
      }
    } finally {
      await close()
    }
  } catch (error) {
    if (!isSvcError(error)) throw error
    return problem('orphans', `Removed ${describe()}, then stopped: ${error.message}`, 'Run it again.')
  }
  return ok('orphans', removed.files === 0 ? 'every stored file belongs to a task' : `Removed ${describe()}.`)
}
