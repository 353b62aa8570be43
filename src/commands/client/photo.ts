import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { isSvcError, SvcError } from '../../errors.js'
import { reasonOf } from '../../runtime/reason.js'

/** No photo is larger. The service has a lower limit of its own. */
const maxPhotoBytes = 100 << 20

/** A photo for a request: a URL, or the bytes of a file. */
export type PhotoSource = { readonly url: string } | { readonly file: Blob; readonly name: string }

/** Reads the photo argument: a URL (also as `[text](url)`) or a file. Throws `invalid_request`. */
export async function readPhotoSource(text: string): Promise<PhotoSource> {
  if (/^(\[[^\]]*\]\()?https?:\/\//i.test(text)) return { url: text }
  try {
    const { size } = await stat(text)
    if (size > maxPhotoBytes) throw new SvcError('invalid_request', `${text} is too large for a photo.`)
    return { file: new Blob([await readFile(text)]), name: basename(text) }
  } catch (cause) {
    if (isSvcError(cause)) throw cause
    throw new SvcError('invalid_request', `${text} cannot be read: ${reasonOf(cause)}.`, { cause })
  }
}
