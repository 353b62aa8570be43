import { createHash } from 'node:crypto'

/** Returns a name for these bytes: the same bytes have the same name, so that a copy is never one of other bytes. */
export function nameContent(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64url').slice(0, 22)
}

/** Returns the path of a compressed copy, for `shippedUrl`. */
export const encodedPath = (name: string) => `dist/encoded/${name}.gz`
