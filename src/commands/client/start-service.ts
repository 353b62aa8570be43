import { type App, createApp } from '../../app.js'
import type { Config } from '../../config.js'

/** The service on a data folder, inside this process: without a port, with its worker. */
export function startService(config: Config): Promise<App> {
  // Tasks run only while the command waits for one. What is in work when it ends is handed back at once: whoever runs next
  // goes on with it.
  return createApp(config, { drainMs: 0, runsTasks: false })
}
