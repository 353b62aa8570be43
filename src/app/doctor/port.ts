import { createServer } from 'node:net'
import type { Config } from '../../config.js'
import { limitTime } from '../../runtime/abort.js'
import type { DataDir } from '../../runtime/data-dir.js'
import { listRunningServers } from '../../runtime/running-servers.js'
import { type CheckResult, note, ok, problem } from './check-result.js'

const answerMs = 2000

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
  const code = await tryToListen(host, port)
  if (code === undefined) return ok('port', `${address} is free`)
  if (code === 'EADDRINUSE') {
    const version = await findServer(host, port)
    if (version !== undefined) return ok('port', `svc ${version} runs on ${address}`)
    return problem(
      'port',
      `Another program has ${address}.`,
      'Stop it, or choose another port with --port or SVC_PORT.',
    )
  }
  const fix = fixes[code] ?? 'Choose another with --host and --port.'
  return problem('port', `${address} cannot be listened on (${code}).`, fix)
}

const fixes: Readonly<Record<string, string>> = {
  EACCES: 'Ports below 1024 take special rights: choose another with --port or SVC_PORT.',
  EADDRNOTAVAIL: 'This machine does not have the address: choose another with --host or SVC_HOST.',
  ENOTFOUND: 'The name is unknown here: choose another with --host or SVC_HOST.',
}

/** Returns the error code, or undefined on success. */
function tryToListen(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)))
  })
}

/** Returns the version of the svc that answers, or undefined. */
function findServer(host: string, port: number): Promise<string | undefined> {
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return findVersion(`http://${name.includes(':') ? `[${name}]` : name}:${port}`)
}

/** Returns the version of the svc at an address, or undefined. */
async function findVersion(url: string): Promise<string | undefined> {
  const limit = limitTime(answerMs)
  try {
    const answer = await fetch(`${url}/health`, { signal: limit.signal })
    const report = (await answer.json()) as { service?: unknown; version?: unknown }
    return report.service === 'svc' ? String(report.version) : undefined
  } catch {
    // It is not svc.
    return undefined
  } finally {
    limit.close()
  }
}
