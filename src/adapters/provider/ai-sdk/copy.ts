import { untilAborted } from '../../../abort.js'
import { createDownloader } from '../../download.js'

export interface CopyOptions {
  /** Where the model service is. */
  readonly baseUrl: string
  /** Whether it may be anywhere in the operator's own network. */
  readonly allowPrivate: boolean
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** A clip of a minute in high resolution stays below. */
const bytesAtMost = 128 << 20

/**
 * Copies a result from where the model service says it is, without a key of ours: from where the service itself is, or by
 * HTTPS from a public address; so for each redirect. A service that is spoken to by HTTP is one of the house: any port of
 * its host will do. `allowPrivate` lifts all this. Resolves with `problem` if that fails; throws the reason of `signal`.
 */
export async function copyResult(
  url: URL,
  { baseUrl, allowPrivate, timeoutMs, signal }: CopyOptions,
): Promise<{ readonly bytes: Uint8Array } | { readonly problem: string }> {
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
    return { problem: /no HTTPS URL|no public address/.test(problem) ? `${problem} ${wayOut}` : problem }
  } finally {
    await downloader.close()
  }
}

/** Told where it may help, and where `allowPrivate` is set never. */
const wayOut = 'If results stand elsewhere in your own network, set SVC_ALLOW_PRIVATE_URLS=1.'

function readDataUrl({ href }: URL): { readonly bytes: Uint8Array } | { readonly problem: string } {
  const base64 = /^data:[^,]*;base64,/.exec(href)?.[0]
  return base64 === undefined
    ? { problem: 'it is a data URL without base64' }
    : { bytes: Buffer.from(href.slice(base64.length), 'base64') }
}
