import { createHash } from 'node:crypto'
import * as assert from 'uvu/assert'
import { validateXML } from 'xmllint-wasm'
import { drawPose } from '../../src/artist/draw-pose.js'
import type { Look } from '../../src/artist/look.js'
import { poses } from '../../src/artist/pet/poses/poses.js'

const moments = [0, 0.1, 1 / 3, 0.5, 0.77]

/** Returns a digest of a look in every pose at several moments. */
export function digestOf(look: Look): string {
  const hash = createHash('sha256').update(JSON.stringify(look))
  for (const pose of poses) for (const moment of moments) hash.update(drawPose(look, pose, moment))
  return hash.digest('hex')
}

export async function requireWellFormed(documents: readonly string[]): Promise<void> {
  const xml = documents.map((contents, index) => ({ fileName: `${index}.svg`, contents }))
  const { valid, errors } = await validateXML({ xml, normalization: 'c14n' })
  assert.ok(valid, JSON.stringify(errors))
}

/** Checks that a document has no text and no NaN, and that every reference has exactly one target. */
export function requireSound(document: string): void {
  assert.not.match(document, /<text|NaN|undefined|Infinity/)
  const ids = [...document.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
  assert.is(new Set(ids).size, ids.length, 'an id occurs twice')
  const used = [...document.matchAll(/(?:href="|url\()#([^")]+)/g)].map(([, id]) => id)
  assert.equal(
    used.filter((id) => !ids.includes(id)),
    [],
  )
}
