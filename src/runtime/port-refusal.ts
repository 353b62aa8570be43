import { once } from 'node:events'
import { createServer } from 'node:net'
import { SvcError } from '../errors.js'
import { limitTime } from './abort.js'
import { toServerUrl } from './running-servers.js'

const answerMs = 2000

/** The reason why a server cannot listen. */
export interface PortRefusal {
  /** A clause without its end. */
  readonly reason: string
  readonly fix: string
  /** The version of the svc that has the port. */
  readonly version?: string | undefined
  readonly cause: unknown
}

const elsewhere = 'Choose another with --port or SVC_PORT.'
const noAddress = {
  reason: 'this machine has no such address',
  fix: 'Name one of its own with --host, or 0.0.0.0 for all.',
}
const refusals: Readonly<Record<string, Pick<PortRefusal, 'reason' | 'fix'>>> = {
  EACCES: { reason: 'ports below 1024 take special rights (EACCES)', fix: elsewhere },
  EADDRINUSE: { reason: 'another program has the port (EADDRINUSE)', fix: `Stop it, or c${elsewhere.slice(1)}` },
  EADDRNOTAVAIL: noAddress,
  EAI_AGAIN: noAddress,
  ENOTFOUND: noAddress,
}

/** Finds why this process cannot listen; undefined if it can. */
export async function findRefusal(host: string, port: number): Promise<PortRefusal | undefined> {
  const probe = createServer().listen({ host, port, exclusive: true })
  try {
    await once(probe, 'listening')
    return undefined
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)
    const version = code === 'EADDRINUSE' ? await findVersion(toServerUrl(host, port)) : undefined
    const known = refusals[code] ?? { reason: code, fix: 'Choose another with --host and --port.' }
    return { ...known, ...(version && { reason: `svc ${version} runs there already`, version }), cause }
  } finally {
    probe.close()
  }
}

/** Throws `unavailable` with the reason if this process cannot listen. */
export async function requirePort(host: string, port: number): Promise<void> {
  const refusal = port === 0 ? undefined : await findRefusal(host, port)
  if (refusal !== undefined) throw toPortError(host, port, refusal)
}

export function toPortError(host: string, port: number, { reason, fix, cause }: PortRefusal): SvcError {
  return new SvcError('unavailable', `Cannot listen on ${host}:${port}: ${reason}. ${fix}`, { cause })
}

/** Returns the version of the svc at an address, or undefined. */
export async function findVersion(url: string): Promise<string | undefined> {
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
