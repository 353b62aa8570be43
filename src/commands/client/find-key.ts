import { describeDataDir, findLocalKey } from '../../runtime/data-dir.js'

/** Finds the key in the data folder of a server on this machine. Other servers never get it: it has no restrictions. */
export function findKeyFor(url: string, dataDir: string): string | undefined {
  const isHere = /^https?:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d+)?(\/|$)/i.test(url)
  return isHere ? findLocalKey(describeDataDir(dataDir)) : undefined
}
