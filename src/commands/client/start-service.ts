import { createApp } from '../../app.js'
import type { Config } from '../../config.js'
import { createKey, fullSettings } from '../../contract/access.js'

/**
 * Starts the service on a data directory in this process, without a port, with its worker. `readerKey` is the text of a key that
 * may read everything, for this service only: a user who can read the folder may read its records.
 */
export async function startService(config: Config, { onlyReads }: { onlyReads: boolean }) {
  const settings = { ...fullSettings, name: 'reader', admin: true, rateLimit: 0 }
  const reader = onlyReads ? createKey(settings, new Date(0)) : undefined
  // Tasks run only while the command waits for one. Units in progress at its end are released for the next process. Only
  // purchases are awaited, since they would be bought again.
  const options = { runsTasks: false, unstoredKey: reader?.key, ...(config.provider === 'stub' && { drainMs: 0 }) }
  // The role is that of servers.
  return { app: await createApp({ ...config, role: 'all' }, options), readerKey: reader?.text }
}
