import { isIP, Socket } from 'node:net'
import { buildConnector, Client, type Dispatcher } from 'undici'
import type { SvcError } from '../../errors.js'
import { formatSize } from '../../size.js'
import { version } from '../../version.js'
import { isPublicAddress } from './address.js'

/** Opens a connection to `hostname`, an IP address; `host` is the name that a certificate must be valid for. */
export type Connect = buildConnector.connector
/** The IP addresses of a host name; throws if it has none. */
export type Resolve = (hostname: string) => Promise<readonly string[]>

/** Where a URL may lead: into private networks and loopback, too; to public addresses; or to those by HTTPS alone. */
export type Reach = 'anywhere' | 'public' | 'public-https'

export interface GetOptions {
  readonly reach: (url: URL) => Reach
  readonly bytesAtMost: number
  readonly timeoutMs: number
  readonly signal: AbortSignal
  readonly resolve: Resolve
  readonly connect: Connect | undefined
  /** Makes the error of a sentence that begins with the field. */
  readonly refuse: (rest: string, cause?: unknown) => SvcError
}

/** What one address answers: the file, or where it is instead. */
export type Got = { readonly bytes: Buffer } | { readonly location: string }

/**
 * Gets what one URL names, over a connection of its own: to an address that was looked up and checked, and to no other.
 * No cookies, no proxy, no compression.
 */
export async function get(url: URL, options: GetOptions): Promise<Got> {
  const { signal, timeoutMs, refuse } = options
  const addresses = await findAddresses(url, options)
  signal.throwIfAborted()
  const client = new Client(url.origin, {
    connect: pinTo(addresses, options.connect ?? openConnector(timeoutMs / 2, signal)),
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  })
  try {
    const path = url.pathname + url.search
    const response = await client
      .request({ method: 'GET', path, headers: requestHeaders, reset: true, signal })
      .catch((cause: unknown) => {
        throw refuse('cannot be reached: its server does not answer as it should.', cause)
      })
    // Whoever stops reading gets an error here when the connection is ended.
    response.body.on('error', () => {})
    return await readResponse(response, addresses.every(isPublicAddress), options)
  } finally {
    await client.destroy()
  }
}

const requestHeaders = {
  'user-agent': `svc/${version}`,
  accept: 'image/jpeg, image/png, image/webp, */*;q=0.1',
  'accept-encoding': 'identity',
}

async function findAddresses(url: URL, { reach, resolve, refuse }: GetOptions): Promise<readonly string[]> {
  const allowPrivate = reach(url) === 'anywhere'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  // What cannot be looked up and what leads inside read the same: nobody learns which names exist inside.
  const unreachable = allowPrivate
    ? 'cannot be reached: its host is not known.'
    : 'cannot be reached: its host has no public address. Give an address that opens anywhere on the internet.'
  const addresses =
    isIP(host) !== 0
      ? [host]
      : await resolve(host).catch((cause: unknown) => {
          throw refuse(unreachable, cause)
        })
  if (addresses.length === 0 || !(allowPrivate || addresses.every(isPublicAddress))) throw refuse(unreachable)
  return addresses
}

/** Connects, unless it takes longer than `timeoutMs` or `signal` says that nobody waits for it any longer. */
function openConnector(timeoutMs: number, signal: AbortSignal): Connect {
  const connect = buildConnector({ timeout: timeoutMs, rejectUnauthorized: true })
  return (options, callback) => {
    // A client that is destroyed while it connects leaves the socket to its timeout. Not in the types: it is returned.
    const socket: unknown = connect(options, callback)
    if (socket instanceof Socket) signal.addEventListener('abort', () => socket.destroy(), { once: true })
  }
}

/** Connects to the first of `addresses` that answers, whatever the host's name means by now. */
function pinTo(addresses: readonly string[], connect: Connect): Connect {
  const [address = '', ...others] = addresses
  return (options, callback) =>
    connect({ ...options, hostname: address }, (...outcome) => {
      if (outcome[0] !== null && others.length > 0) pinTo(others, connect)(options, callback)
      else callback(...outcome)
    })
}

async function readResponse(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  isPublic: boolean,
  { bytesAtMost, refuse, signal }: GetOptions,
): Promise<Got> {
  const { location } = headers
  if ([301, 302, 303, 307, 308].includes(statusCode) && typeof location === 'string') return { location }
  if (statusCode !== 200) {
    throw refuse(
      isPublic ? `answers with status ${statusCode} instead of a picture.` : 'does not answer with a picture.',
    )
  }
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding !== 'identity') throw refuse('answers with a compressed file. Serve the picture as it is.')
  const tooLarge = `has more than ${formatSize(bytesAtMost)}. Give a smaller picture.`
  if (Number(headers['content-length'] ?? 0) > bytesAtMost) throw refuse(tooLarge)
  const chunks: Buffer[] = []
  let sizeBytes = 0
  try {
    for await (const chunk of body) {
      sizeBytes += chunk.length
      if (sizeBytes > bytesAtMost) break
      chunks.push(chunk)
    }
  } catch (cause) {
    signal.throwIfAborted()
    throw refuse('was cut off on its way. Try again.', cause)
  }
  if (sizeBytes > bytesAtMost) throw refuse(tooLarge)
  return { bytes: Buffer.concat(chunks) }
}
