import { type App, createApp } from '../../app.js'
import type { Config } from '../../config.js'

/** The service on a data folder, inside this process: without a port, with its worker. */
export function startService(config: Config): Promise<App> {
  // Tasks run only while the command waits for one. What is in work when it ends is handed back: whoever runs next goes on
  // with it. Only what is being bought is waited for, since it would be bought again.
  return createApp(config, { runsTasks: false, ...(config.provider === 'stub' && { drainMs: 0 }) })
}
