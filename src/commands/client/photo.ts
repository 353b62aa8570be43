import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { SvcError } from '../../errors.js'
import { reasonOf } from '../input/reason.js'

/** Nobody's photo is larger; the service says what it takes. */
const photoBytesAtMost = 100 << 20

/** A photo as the service takes it: an address, or a file's bytes. */
export type PhotoSource = { readonly url: string } | { readonly file: Blob; readonly name: string }

/** Reads what a person named as the photo: an address (also as `[text](address)`) or a file. Throws `invalid_request`. */
export async function readPhotoSource(text: string): Promise<PhotoSource> {
  if (/^(\[[^\]]*\]\()?https?:\/\//i.test(text)) return { url: text }
  try {
    const { size } = await stat(text)
    if (size > photoBytesAtMost) throw new SvcError('invalid_request', `${text} is too large for a photo.`)
    return { file: new Blob([await readFile(text)]), name: basename(text) }
  } catch (cause) {
    if (cause instanceof SvcError) throw cause
    throw new SvcError('invalid_request', `${text} cannot be read: ${reasonOf(cause)}.`, { cause })
  }
}
