import { describeDataDir, findLocalKey } from '../../data-dir.js'

/** The key that a server keeps in its data folder: for this machine only, since it may do everything. */
export function findKeyFor(url: string, dataDir: string): string | undefined {
  const isHere = /^https?:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d+)?(\/|$)/i.test(url)
  return isHere ? findLocalKey(describeDataDir(dataDir)) : undefined
}
