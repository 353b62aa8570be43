import { lookup } from 'node:dns/promises'
import { isSvcError, SvcError } from '../errors.js'
import type { Downloader } from '../ports/photos.js'
import type { Connect, GetOptions, Reach, Resolve } from './download/get.js'
import { createTurns } from './turns.js'

export interface DownloaderOptions {
  /** How far a URL may lead; asked for each redirect, too. */
  readonly reach: Reach | ((url: URL) => Reach)
  readonly bytesAtMost: number
  /** For everything once it has begun, redirects and looking up names included. */
  readonly timeoutMs?: number
  /** How long a download may wait for others to end. */
  readonly waitMs?: number
  readonly resolve?: Resolve
  readonly connect?: Connect
}

const redirectsAtMost = 3
/** Each holds a file in memory; what waits holds an address. */
const downloadsAtMost = 32
const waitingAtMost = 5000

/**
 * Downloads what strangers name, by HTTP and HTTPS, without being led further than it may: every host is looked up here,
 * each of its addresses must be public unless `reach` says otherwise, and the one that was checked is the one that is
 * connected to; so for every redirect.
 * Throws `invalid_request` that names the field, `unavailable` when too many wait, one waits too long, or on closing.
 * The environment's proxy is not used: it would look up names on its own.
 * Source: gateway contract, 4.3.
 */
export function createDownloader(options: DownloaderOptions): Downloader {
  const { reach, bytesAtMost, timeoutMs = 10_000, waitMs = 20_000, resolve = lookUp, connect } = options
  const running = new Map<AbortController, Promise<unknown>>()
  const turns = createTurns({
    atOnce: downloadsAtMost,
    waitingAtMost,
    waitingBytesAtMost: 0,
    waitMs,
    refusal: 'Too many photos are being downloaded. Try again in a few seconds.',
  })
  let closed = false

  async function download(url: string, field: string, controller: AbortController): Promise<Buffer> {
    const { signal } = controller
    const refuse = (rest: string, cause?: unknown) => new SvcError('invalid_request', `\`${field}\` ${rest}`, { cause })
    const timer = setTimeout(() => controller.abort(), timeoutMs)
    // Looking up a name cannot be broken off; nobody waits for it any longer then.
    const aborted = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    })
    try {
      return await Promise.race([
        follow(url, { reach: toFunction(reach), bytesAtMost, timeoutMs, signal, resolve, connect, refuse }),
        aborted,
      ])
    } catch (error) {
      if (closed) throw stopping()
      if (signal.aborted) throw refuse(`took longer than ${timeoutMs / 1000} seconds to download.`)
      throw isSvcError(error) ? error : refuse('cannot be downloaded.', error)
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    async download(url, field) {
      if (closed) throw stopping()
      return turns.run(0, async () => {
        if (closed) throw stopping()
        const controller = new AbortController()
        const downloading = download(url, field, controller)
        running.set(controller, downloading)
        try {
          return await downloading
        } finally {
          running.delete(controller)
        }
      })
    },
    async close() {
      closed = true
      for (const controller of running.keys()) controller.abort()
      await Promise.allSettled(running.values())
    },
  }
}

const toFunction = (reach: DownloaderOptions['reach']) => (typeof reach === 'function' ? reach : () => reach)

function stopping(): SvcError {
  return new SvcError('unavailable', 'The service is stopping. Try again in a moment.')
}

async function lookUp(hostname: string): Promise<string[]> {
  const found = await lookup(hostname, { all: true, verbatim: true })
  return found.map(({ address }) => address)
}

async function follow(text: string, options: GetOptions): Promise<Buffer> {
  const { get } = await import('./download/get.js')
  let url = parseUrl(text, undefined, options)
  for (let redirects = 0; redirects <= redirectsAtMost; redirects++) {
    const got = await get(url, options)
    if ('bytes' in got) return got.bytes
    url = parseUrl(got.location, url, options)
  }
  throw options.refuse(`redirects more than ${redirectsAtMost} times.`)
}

/** The URL that may be asked next: the caller's, or where `from` redirects to. */
function parseUrl(text: string, from: URL | undefined, { reach, refuse }: GetOptions): URL {
  const subject = from === undefined ? 'is' : 'redirects to'
  if (!URL.canParse(text, from?.href)) throw refuse(`${subject} no URL.`)
  const url = new URL(text, from)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw refuse(`${subject} no HTTP or HTTPS URL.`)
  if (url.protocol === 'http:' && reach(url) === 'public-https') throw refuse(`${subject} no HTTPS URL.`)
  if (url.username !== '' || url.password !== '') {
    throw refuse(`${subject} a URL with a user name or a password; it must go without.`)
  }
  return url
}
