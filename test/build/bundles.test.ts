import { readdirSync, readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

const bundles = suite('bundles')
const dist = new URL('../../dist/', import.meta.url)

bundles('hold ASCII alone, as bin/load.js reads them as Latin-1', () => {
  const files = readdirSync(dist).filter((file) => file.endsWith('.cjs'))
  assert.ok(files.includes('cli.cjs'))
  const others = files.filter((file) => readFileSync(new URL(file, dist)).some((byte) => byte > 0x7f))
  assert.equal(others, [])
})

bundles.run()
