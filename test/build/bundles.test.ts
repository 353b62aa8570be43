import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { globSync } from 'tinyglobby'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { sharedPackages } from '../../src/build/entries.js'

const bundles = suite('bundles')
const dist = new URL('../../dist/', import.meta.url)

bundles('hold ASCII alone, as bin/load.js reads them as Latin-1', () => {
  const files = readdirSync(dist).filter((file) => file.endsWith('.cjs'))
  assert.ok(files.includes('cli.cjs'))
  const others = files.filter((file) => readFileSync(new URL(file, dist)).some((byte) => byte > 0x7f))
  assert.equal(others, [])
})

bundles('import the packages that they share by name', () => {
  const byDefault = new RegExp(`^import \\w+(, .*)? from '(${sharedPackages.join('|')})'`, 'm')
  const files = globSync('src/**/*.ts', { cwd: fileURLToPath(new URL('..', dist)), absolute: true })
  assert.ok(files.length > 500)
  assert.equal(
    files.filter((file) => byDefault.test(readFileSync(file, 'utf8'))),
    [],
  )
})

bundles.run()
