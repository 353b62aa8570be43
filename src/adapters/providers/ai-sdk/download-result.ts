import { untilAborted } from '../../../runtime/abort.js'
import { createDownloader, DownloadError } from '../../download/downloader.js'
import type { Recovery } from '../../download/get.js'

export interface DownloadOptions {
  /** Base URL of the vendor. */
  readonly baseUrl: string
  /** True to allow every address of the operator's own network. */
  readonly allowPrivate: boolean
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

export type DownloadResult = { readonly bytes: Uint8Array } | { readonly problem: string; readonly recovery: Recovery }

/** A clip of one minute in high resolution is smaller. */
const bytesAtMost = 128 << 20

/**
 * Downloads a result from the URL in the vendor's response, without our key: from the vendor's own origin, or by
 * HTTPS from a public address; each redirect is checked the same way. A vendor reached by HTTP is local: any port of
 * its host is allowed. `allowPrivate` lifts all restrictions. Resolves with `problem` on failure; throws the reason
 * of `signal`.
 */
export async function downloadResult(
  url: URL,
  { baseUrl, allowPrivate, timeoutMs, signal }: DownloadOptions,
): Promise<DownloadResult> {
  if (url.protocol === 'data:') return readDataUrl(url)
  const service = new URL(baseUrl)
  const isOfService = ({ hostname, origin }: URL) =>
    service.protocol === 'http:' ? hostname === service.hostname : origin === service.origin
  const reach = (next: URL) => (allowPrivate || isOfService(next) ? 'anywhere' : 'public-https')
  const downloader = createDownloader({ reach, bytesAtMost, timeoutMs: Math.max(1, timeoutMs) })
  try {
    const copying = downloader.download(url.href, 'result')
    return { bytes: await untilAborted(copying, signal, () => void downloader.close()) }
  } catch (error) {
    signal.throwIfAborted()
    const problem = error instanceof Error ? error.message : 'no reason given'
    const hint = /not an HTTPS URL|no public address/.test(problem) ? ` ${wayOut}` : ''
    return { problem: problem + hint, recovery: error instanceof DownloadError ? error.recovery : 'likely' }
  } finally {
    await downloader.close()
  }
}

/** Added to problems that it may solve; never if `allowPrivate` is set. */
const wayOut = 'If results are elsewhere in your own network, set SVC_ALLOW_PRIVATE_URLS=1.'

function readDataUrl({ href }: URL): DownloadResult {
  const base64 = /^data:[^,]*;base64,/.exec(href)?.[0]
  return base64 === undefined
    ? { problem: 'it is a data URL without base64', recovery: 'never' }
    : { bytes: Buffer.from(href.slice(base64.length), 'base64') }
}
