import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { isAnyHost } from '../../runtime/running-servers.js'
import { badRequest, type Unreadable } from './unreadable.js'

/** The values of the `Host` header whose check is remembered. */
const hostsKept = 100

/** Returns the refusal of a request whose head Node's parser accepts; undefined if the request may be answered. */
export type FindDefect = (request: IncomingMessage) => Unreadable | undefined

/**
 * Refuses heads from which two programs may read different requests, and requests for other hosts: a page of a hostile
 * site, whose name resolves to this machine, must not reach it from the user's browser. Hosts of loopback, the address
 * `bound` and `allowed` names are answered, and any IP address if the server is bound to all addresses.
 */
export function createFindDefect(bound: string, allowed: readonly string[]): FindDefect {
  const names = new Set([bound, ...allowed].flatMap((host) => parseHost(isIP(host) === 6 ? `[${host}]` : host) ?? []))
  const isOpen = isAnyHost(bound)
  const defects = new Map<string, Unreadable | undefined>()

  function judgeHost(host: string): Unreadable | undefined {
    const name = parseHost(host)
    if (name === undefined) return badRequest
    const isAddress = isIP(name.replaceAll(/[[\]]/g, '')) > 0
    return isLoopback(name) || names.has(name) || (isOpen && isAddress) ? undefined : refuseHost(name)
  }

  return (request) => {
    if (!hasKnownLength(request) || !hasTarget(request)) return badRequest
    const { host } = request.headers
    if (host === undefined) return request.httpVersion === '1.1' ? badRequest : undefined
    if (countHeader(request.rawHeaders, 'host') > 1) return badRequest
    if (!defects.has(host)) {
      if (defects.size >= hostsKept) defects.clear()
      defects.set(host, judgeHost(host))
    }
    return defects.get(host)
  }
}

function refuseHost(name: string): Unreadable {
  return {
    status: '421 Misdirected Request',
    code: 'host_not_allowed',
    message: `This server does not answer for the host ${name}. Its operator can allow it with SVC_ALLOWED_HOSTS=${name}.`,
  }
}

/** Returns the normalized name or address of a host with or without a port; undefined if it is not valid in a URL. */
function parseHost(host: string): string | undefined {
  if (/[\s/\\?#@]/.test(host) || !URL.canParse(`http://${host}/`)) return undefined
  return new URL(`http://${host}/`).hostname.replace(/\.$/, '')
}

function isLoopback(name: string): boolean {
  return /^(.+\.)?localhost$|^127\.\d+\.\d+\.\d+$|^\[::1\]$/.test(name)
}

/** Counts a header, whose name is in lower case: Node joins some that are sent twice, and drops others. */
export function countHeader(rawHeaders: readonly string[], wanted: string): number {
  let count = 0
  for (let place = 0; place < rawHeaders.length; place += 2) {
    const name = rawHeaders[place]
    if (name?.length === wanted.length && name.toLowerCase() === wanted) count += 1
  }
  return count
}

/** True if the target is a path, or a whole URL. */
function hasTarget({ url = '' }: IncomingMessage): boolean {
  return url.startsWith('/') || url === '*' || URL.canParse(url)
}

/** True if the body has no transfer coding but `chunked`, which HTTP/1.0 does not know. */
function hasKnownLength({ headers, httpVersion }: IncomingMessage): boolean {
  const coding = headers['transfer-encoding']
  return coding === undefined || (httpVersion === '1.1' && coding.toLowerCase() === 'chunked')
}
