import { describeDataDir, findLocalKey } from '../../runtime/data-dir.js'
import type { RunningServer } from '../../runtime/running-servers.js'
import { toPrintable } from '../../text/words.js'
import { printDemoAddress } from './banner.js'

/** Names servers that are on a data directory already, and how to open their demo. */
export function describeRunning(dataDir: string, servers: readonly RunningServer[], remark: string): string[] {
  const place = describeDataDir(dataDir)
  const hasKey = findLocalKey(place) !== undefined
  return servers.flatMap(({ url, pid }) => [
    `svc: ${toPrintable(dataDir)} is already served on ${url} (process ${pid}).${remark}`,
    ...(hasKey ? [`This prints the address of its demo: ${toPrintable(printDemoAddress(url, place.localKey))}`] : []),
  ])
}
