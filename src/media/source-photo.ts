import { isSvcError, SvcError } from '../errors.js'
import type { ObjectStore } from '../ports/objects.js'
import type { Downloader, Photo, PhotoReader } from '../ports/photos.js'

export interface PhotoPorts {
  readonly photos: Pick<PhotoReader, 'readPhoto'>
  readonly downloader: Pick<Downloader, 'download'>
}

/**
 * Downloads and normalizes the photo at an address. Throws `invalid_request` that names `source_image_url`.
 * @NOTE contract: a photo that cannot be downloaded or read is not shown; the caller sent the URL, so it is invalid.
 */
export async function downloadPhoto({ photos, downloader }: PhotoPorts, url: string): Promise<Photo> {
  const field = 'source_image_url'
  const address = readImageUrl(url)
  if (address === undefined) {
    throw new SvcError('invalid_request', `\`${field}\` must be an HTTP or HTTPS address, or a Markdown link to one.`)
  }
  return photos.readPhoto(await downloader.download(address, field), field)
}

/**
 * Stores a photo before `create` creates the task that refers to it, and deletes it if `create` fails. If it is unknown
 * whether the task exists, the photo stays; without a task it is removed with the leftovers.
 */
export async function storePhoto(
  objects: Pick<ObjectStore, 'put' | 'delete'>,
  key: string,
  photo: Photo,
  create: () => Promise<void>,
): Promise<void> {
  await objects.put(key, photo.jpeg)
  try {
    await create()
  } catch (error) {
    // The first error is reported even if the photo cannot be deleted.
    if (!isSvcError(error) || !error.isOutcomeUnknown) await objects.delete(key).catch(() => {})
    throw error
  }
}

const urlAtMost = 2048
/** Length of the longest accepted text: a link whose label and title are its address. */
const textAtMost = 3 * urlAtMost + '[](<> "")'.length
/** `[text](url)`, `[text](<url>)`, `[text](url "title")`. */
const link = /^\[.*?\]\((.+)\)$/s
// Tried once a run of blanks: at each of them, it would take the square of their number.
const title = /(?<!\s)\s+("[^"]*"|'[^']*'|\([^()]*\))$/

/**
 * Parses the address of a photo: an HTTP or HTTPS URL of at most 2048 characters, or a Markdown link to one,
 * `[text](url)`, whose address may be in `<>` and be followed by a title.
 * Returns the normalized URL, or undefined if `text` is neither.
 * Source: gateway contract, 4.3.
 */
export function readImageUrl(text: string): string | undefined {
  const trimmed = text.trim()
  if (trimmed.length > textAtMost) return undefined
  const linked = link.exec(trimmed)?.[1]?.trim().replace(title, '')
  const target = linked?.replace(/^<(.*)>$/s, '$1').trim() ?? trimmed
  if (target.length > urlAtMost || !/^https?:\/\//i.test(target) || !URL.canParse(target)) return undefined
  return new URL(target).href
}
