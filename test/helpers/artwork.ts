import * as assert from 'uvu/assert'
import { validateXML } from 'xmllint-wasm'

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
