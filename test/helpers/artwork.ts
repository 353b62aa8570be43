import { createHash } from 'node:crypto'
import * as assert from 'uvu/assert'
import { validateXML } from 'xmllint-wasm'
import { drawPose, poses } from '../../src/adapters/provider/stub/draw-pose.js'
import type { Look } from '../../src/adapters/provider/stub/look.js'

const moments = [0, 0.1, 1 / 3, 0.5, 0.77]

/** A digest of a look in every pose at several moments. */
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

/** No text, no number that is none, and every reference has the one thing it names. */
export function requireSound(document: string): void {
  assert.not.match(document, /<text|NaN|undefined|Infinity/)
  const ids = [...document.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
  assert.is(new Set(ids).size, ids.length, 'an id is there twice')
  const used = [...document.matchAll(/(?:href="|url\()#([^")]+)/g)].map(([, id]) => id)
  assert.equal(
    used.filter((id) => !ids.includes(id)),
    [],
  )
}
