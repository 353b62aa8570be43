/** Worker thread: removes the leftovers in a data directory once. It reads all rows, which would block the calls of a server. */
import { workerData } from 'node:worker_threads'
import { describeDataDir } from '../../runtime/data-dir.js'
import { removeLeftovers } from './remove-leftovers.js'

void removeLeftovers(describeDataDir(workerData as string), Date.now())
