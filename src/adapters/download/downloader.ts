import { lookup } from 'node:dns/promises'
import { isSvcError, SvcError } from '../../errors.js'
import type { Downloader } from '../../ports/photos.js'
import { limitTime, untilAborted } from '../../runtime/abort.js'
import { createLimiter } from '../../runtime/limiter.js'
import type { Connect, GetOptions, Reach, Recovery, Resolve } from './get.js'

/** The reason that a download failed, as `invalid_request` that names the field. */
export class DownloadError extends SvcError {
  readonly recovery: Recovery

  constructor(message: string, { cause, recovery }: { readonly cause?: unknown; readonly recovery: Recovery }) {
    super('invalid_request', message, { cause })
    this.recovery = recovery
  }
}

export interface DownloaderOptions {
  /** Returns the addresses that a URL may lead to. Also called for each redirect. */
  readonly reach: (url: URL) => Reach
  readonly bytesAtMost: number
  /** Limit for a started download, with its redirects and name lookups. */
  readonly timeoutMs?: number
  /** Limit for waiting until another download ends. */
  readonly waitMs?: number
  readonly resolve?: Resolve
  readonly connect?: Connect
}

const redirectsAtMost = 3
/** Each running download holds a file in memory; a waiting one holds only a URL. */
const downloadsAtMost = 32
const waitingAtMost = 5000

/**
 * Downloads caller-supplied URLs by HTTP and HTTPS, with protection against server-side request forgery: every host
 * is resolved here, each of its addresses must be public unless `reach` says otherwise, and the connection goes to
 * the checked address; the same for every redirect. The proxy of the environment is not used, because it would
 * resolve names itself.
 * Throws `DownloadError`; `unavailable` if too many downloads wait, one waits too long, or on closing.
 * Source: gateway contract, 4.3.
 */
export function createDownloader(options: DownloaderOptions): Downloader {
  const { reach, bytesAtMost, timeoutMs = 10_000, waitMs = 20_000, resolve = lookUp, connect } = options
  const running = new Map<AbortController, Promise<unknown>>()
  const limit = createLimiter({
    atOnce: downloadsAtMost,
    waitingAtMost,
    waitMs,
    refuse: () => new SvcError('unavailable', 'Too many photos are being downloaded. Try again in a few seconds.'),
  })
  let closed = false

  async function download(url: string, field: string, closing: AbortSignal): Promise<Buffer> {
    const refuse: GetOptions['refuse'] = (rest, recovery, cause) =>
      new DownloadError(`\`${field}\` ${rest}`, { recovery, cause })
    const { signal, close } = limitTime(timeoutMs, closing)
    try {
      // A name lookup cannot be aborted; its result is ignored.
      return await untilAborted(
        follow(url, { reach, bytesAtMost, timeoutMs, signal, resolve, connect, refuse }),
        signal,
      )
    } catch (error) {
      if (closed) throw stopping()
      if (signal.aborted) throw refuse(`took longer than ${timeoutMs / 1000} seconds to download.`, 'unlikely')
      throw isSvcError(error) ? error : refuse('cannot be downloaded.', 'likely', error)
    } finally {
      close()
    }
  }

  return {
    async download(url, field) {
      if (closed) throw stopping()
      return limit(async () => {
        if (closed) throw stopping()
        const controller = new AbortController()
        const downloading = download(url, field, controller.signal)
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

function stopping(): SvcError {
  return new SvcError('unavailable', 'The service is stopping. Try again in a moment.')
}

async function lookUp(hostname: string): Promise<string[]> {
  const found = await lookup(hostname, { all: true, verbatim: true })
  return found.map(({ address }) => address)
}

async function follow(text: string, options: GetOptions): Promise<Buffer> {
  const { get } = await import('./get.js')
  let url = parseUrl(text, undefined, options)
  for (let redirects = 0; redirects <= redirectsAtMost; redirects++) {
    const got = await get(url, options)
    if ('bytes' in got) return got.bytes
    url = parseUrl(got.location, url, options)
  }
  throw options.refuse(`redirects more than ${redirectsAtMost} times.`, 'never')
}

/** Parses the next URL: the caller's, or the target of a redirect of `from`. */
function parseUrl(text: string, from: URL | undefined, { reach, refuse }: GetOptions): URL {
  const subject = from === undefined ? '' : 'redirects to an address that '
  if (!URL.canParse(text, from?.href)) throw refuse(`${subject}is not a valid URL.`, 'never')
  const url = new URL(text, from)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw refuse(`${subject}is not an HTTP or HTTPS URL.`, 'never')
  }
  if (url.protocol === 'http:' && reach(url) === 'public-https') throw refuse(`${subject}is not an HTTPS URL.`, 'never')
  if (url.username !== '' || url.password !== '') {
    throw refuse(`${subject}has a user name or password, which is not accepted.`, 'never')
  }
  return url
}
