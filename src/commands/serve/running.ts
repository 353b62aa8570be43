import type { Config } from '../../config.js'
import { describeDataDir, findLocalKey } from '../../runtime/data-dir.js'
import { listRunningServers } from '../../runtime/running-servers.js'
import { toPrintable } from '../../text/words.js'
import { printDemoAddress } from './banner.js'

/** Names the servers that are on this data directory already, and how to open their demo. */
export function describeRunning({ dataDir, database }: Pick<Config, 'dataDir' | 'database'>): string[] {
  if (database !== '') return []
  const place = describeDataDir(dataDir)
  const hasKey = findLocalKey(place) !== undefined
  return listRunningServers(place).flatMap(({ url, pid }) => [
    `svc: ${toPrintable(dataDir)} is already served on ${url} (process ${pid}).`,
    ...(hasKey ? [`This prints the address of its demo: ${toPrintable(printDemoAddress(url, place.localKey))}`] : []),
  ])
}
