import { createDownloader } from '../../download.js'
import { untilAborted } from '../until-aborted.js'

export interface CopyOptions {
  /** Where the model service is. */
  readonly baseUrl: string
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** A clip of a minute in high resolution stays below. */
const bytesAtMost = 128 << 20

/**
 * Copies a result from where the model service says it is, without a key of ours: by HTTPS from a public address, or from
 * where the service itself is. A service that is spoken to by HTTP is one of the house, and may name others there.
 * Resolves with `problem` if that fails; throws the reason of `signal`.
 */
export async function copyResult(
  url: URL,
  { baseUrl, timeoutMs, signal }: CopyOptions,
): Promise<{ readonly bytes: Uint8Array } | { readonly problem: string }> {
  if (url.protocol === 'data:') return readDataUrl(url)
  const isOfHouse = baseUrl.startsWith('http:')
  if (url.protocol !== 'https:' && !isOfHouse) return { problem: 'it is no HTTPS URL' }
  const allowPrivate = isOfHouse || url.origin === new URL(baseUrl).origin
  const downloader = createDownloader({ allowPrivate, bytesAtMost, timeoutMs: Math.max(1, timeoutMs) })
  try {
    const copying = downloader.download(url.href, 'result')
    return { bytes: await untilAborted(copying, signal, () => void downloader.close()) }
  } catch (error) {
    signal.throwIfAborted()
    return { problem: error instanceof Error ? error.message : 'no reason given' }
  } finally {
    await downloader.close()
  }
}

function readDataUrl({ href }: URL): { readonly bytes: Uint8Array } | { readonly problem: string } {
  const base64 = /^data:[^,]*;base64,/.exec(href)?.[0]
  return base64 === undefined
    ? { problem: 'it is a data URL without base64' }
    : { bytes: Buffer.from(href.slice(base64.length), 'base64') }
}
