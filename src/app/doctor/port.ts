import type { Config } from '../../config.js'
import type { DataDir } from '../../runtime/data-dir.js'
import { findRefusal, findVersion } from '../../runtime/port-refusal.js'
import { listRunningServers } from '../../runtime/running-servers.js'
import { type CheckResult, note, ok, problem } from './check-result.js'

/** Checks that the servers on a data directory answer. */
export function checkServers(dataDir: DataDir): Promise<CheckResult[]> {
  return Promise.all(
    listRunningServers(dataDir).map(async ({ url, pid }) => {
      const version = await findVersion(url)
      return version === undefined
        ? note('server', `Process ${pid} serves this folder on ${url}, and does not answer at the moment.`)
        : ok('server', `svc ${version} serves this folder on ${url} (process ${pid})`)
    }),
  )
}

/** Checks that a server can listen on its port, or already does. */
export async function checkPort({ host, port }: Pick<Config, 'host' | 'port'>): Promise<CheckResult> {
  if (port === 0) return ok('port', 'any that is free')
  const address = `${host.includes(':') ? `[${host}]` : host}:${port}`
  const refusal = await findRefusal(host, port)
  if (refusal === undefined) return ok('port', `${address} is free`)
  if (refusal.version !== undefined) return ok('port', `svc ${refusal.version} runs on ${address}`)
  return problem('port', `${address} cannot be listened on: ${refusal.reason}.`, refusal.fix)
}
