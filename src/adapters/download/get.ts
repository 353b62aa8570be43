import { isIP, Socket } from 'node:net'
import ipaddr from 'ipaddr.js'
import { buildConnector, Client, type Dispatcher } from 'undici'
import type { SvcError } from '../../errors.js'
import { version } from '../../runtime/program-name.js'
import { joinInTurns } from '../../runtime/turns.js'
import { formatSize } from '../../text/words.js'

/** Opens a connection to `hostname`, an IP address; `host` is the name that the certificate must be valid for. */
export type Connect = buildConnector.connector
/** Resolves the IP addresses of a host name; throws if there are no addresses. */
export type Resolve = (hostname: string) => Promise<readonly string[]>

/**
 * The addresses that a URL may lead to: any, including private networks and loopback; public ones; or public ones by
 * HTTPS only.
 */
export type Reach = 'anywhere' | 'public' | 'public-https'

export interface GetOptions {
  readonly reach: (url: URL) => Reach
  readonly bytesAtMost: number
  readonly timeoutMs: number
  readonly signal: AbortSignal
  readonly resolve: Resolve
  readonly connect: Connect | undefined
  /** Creates an error whose sentence begins with the field. */
  readonly refuse: (rest: string, recovery: Recovery, cause?: unknown) => SvcError
}

/** The chance that another attempt succeeds: likely after a lost connection, unlikely after 404, never if a file is too large. */
export type Recovery = 'likely' | 'unlikely' | 'never'

/** The response of one URL: the file, or the target of a redirect. */
export type GetResult = { readonly bytes: Buffer } | { readonly location: string }

/**
 * Requests one URL over its own connection, which goes only to the address that was resolved and checked. Sends no
 * cookies and uses no proxy or compression.
 */
export async function get(url: URL, options: GetOptions): Promise<GetResult> {
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
        throw refuse('cannot be reached: its server does not answer as it should.', 'likely', cause)
      })
    // Destroying the connection emits an error here if the body was not read to its end.
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
  // An unknown host and a host with a private address are reported alike, so that internal names are not disclosed.
  const unreachable = allowPrivate
    ? 'cannot be reached: its host is not known.'
    : 'cannot be reached: its host has no public address. Give an address that opens anywhere on the internet.'
  const addresses =
    isIP(host) !== 0
      ? [host]
      : await resolve(host).catch((cause: unknown) => {
          throw refuse(unreachable, 'likely', cause)
        })
  if (addresses.length === 0 || !(allowPrivate || addresses.every(isPublicAddress))) throw refuse(unreachable, 'likely')
  return addresses
}

/** Connects unless it takes longer than `timeoutMs` or `signal` is aborted. */
function openConnector(timeoutMs: number, signal: AbortSignal): Connect {
  const connect = buildConnector({ timeout: timeoutMs, rejectUnauthorized: true })
  return (options, callback) => {
    // A client that is destroyed while it connects leaves the socket to its timeout. The types omit the returned
    // socket.
    const socket: unknown = connect(options, callback)
    if (socket instanceof Socket) signal.addEventListener('abort', () => socket.destroy(), { once: true })
  }
}

/** Connects to the first of `addresses` that responds, without resolving the host's name again. */
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
): Promise<GetResult> {
  const { location } = headers
  if ([301, 302, 303, 307, 308].includes(statusCode) && typeof location === 'string') return { location }
  if (statusCode !== 200) {
    throw refuse(
      isPublic ? `answers with status ${statusCode} instead of a picture.` : 'does not answer with a picture.',
      isTemporary(statusCode) ? 'likely' : 'unlikely',
    )
  }
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding !== 'identity') throw refuse('answers with a compressed file. Serve the picture as it is.', 'never')
  const tooLarge = `has more than ${formatSize(bytesAtMost)}. Give a smaller picture.`
  if (Number(headers['content-length'] ?? 0) > bytesAtMost) throw refuse(tooLarge, 'never')
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
    throw refuse('was cut off on its way. Try again.', 'likely', cause)
  }
  if (sizeBytes > bytesAtMost) throw refuse(tooLarge, 'never')
  return { bytes: await joinInTurns(chunks) }
}

const isTemporary = (status: number) => status >= 500 || [408, 425, 429].includes(status)

/** Global unicast: the rest of IPv6 is local, embeds an IPv4 address or is unassigned. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')
/** In the public range, but answered by the machine's own cloud: Azure's platform and metadata. */
const cloudInternals = ['168.63.129.16']

/**
 * True if an IP address, in any notation, is public. Addresses that embed another one (mapped, NAT64, 6to4, Teredo)
 * are not, regardless of the embedded one.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.parse(text)
  if (address.range() !== 'unicast' || cloudInternals.includes(address.toString())) return false
  return address instanceof ipaddr.IPv4 || address.match(globalUnicast)
}
