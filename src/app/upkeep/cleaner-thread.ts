/** Worker thread: does the daily work on a data directory once. It reads all rows, which would block the calls of a server. */
import { workerData } from 'node:worker_threads'
import { describeDataDir } from '../../runtime/data-dir.js'
import type { CleanerWork } from './cleaner.js'
import { removeLeftovers } from './remove-leftovers.js'
import { sumUsage } from './sum-usage.js'

void work(workerData as CleanerWork)

async function work({ path, hasObjects, sumsUsage }: CleanerWork): Promise<void> {
  const dataDir = describeDataDir(path)
  if (hasObjects) await removeLeftovers(dataDir, Date.now())
  if (sumsUsage) await sumUsage(dataDir, Date.now())
}
