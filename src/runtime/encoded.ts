import { createHash } from 'node:crypto'

/** The content codings in which the build compresses texts, the preferred one first, with the extension of the copy. */
export const encodings = { br: 'br', gzip: 'gz' } as const

export type Encoding = keyof typeof encodings

/** Returns a name for these bytes: the same bytes have the same name, so that a copy is never one of other bytes. */
export function nameContent(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64url').slice(0, 22)
}

/** Returns the path of a compressed copy, for `shippedUrl`. */
export function encodedPath(name: string, encoding: Encoding): string {
  return `dist/encoded/${name}.${encodings[encoding]}`
}
