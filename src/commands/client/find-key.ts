import type { StorageConfig } from '../../config/storage.js'
import { type DataDir, describeDataDir, findLocalKey } from '../../runtime/data-dir.js'

type KeyPlace = Pick<StorageConfig, 'dataDir' | 'database'>

/** Returns the folder that may keep the text of a key: undefined with a database of several machines. */
export function localKeyFolderOf({ dataDir, database }: KeyPlace): DataDir | undefined {
  return database === '' ? describeDataDir(dataDir) : undefined
}

/** Returns the text of the key that the data directory keeps. */
export function findLocalKeyOf(config: KeyPlace): string | undefined {
  const folder = localKeyFolderOf(config)
  return folder && findLocalKey(folder)
}

/** Finds the key in the data directory of a server on this machine. Other servers never get it: it has no restrictions. */
export function findKeyFor(url: string, config: KeyPlace): string | undefined {
  const isHere = /^https?:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d+)?(\/|$)/i.test(url)
  return isHere ? findLocalKeyOf(config) : undefined
}
