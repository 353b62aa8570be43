import { readFileSync, writeFileSync } from 'node:fs'
import * as assert from 'uvu/assert'

/**
 * Compares a long answer with its file in `test/golden/`. `UPDATE_GOLDEN=1 npm test` rewrites the file instead; the diff
 * is then reviewed like any change.
 */
export function assertGolden(file: string, actual: string): void {
  const url = new URL(`../golden/${file}`, import.meta.url)
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(url, actual)
  assert.is(actual, readFileSync(url, 'utf8'), `${file} changed; if that is meant, run UPDATE_GOLDEN=1 npm test`)
}
