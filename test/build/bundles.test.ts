import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
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

bundles('import the packages that they share by name, and each package has the names', () => {
  const require = createRequire(dist)
  const cwd = fileURLToPath(new URL('../src/', dist))
  const sources = globSync('**/*.ts', { cwd, ignore: ['build', 'generated'], absolute: true }).map((file) =>
    readFileSync(file, 'utf8'),
  )
  assert.ok(sources.length > 500)
  for (const name of sharedPackages) {
    const shared = require(`./package-${name.replace('@', '').replaceAll('/', '-')}.cjs`)
    const imports = new RegExp(`^import (?!type)([^']*?) from '${name}'$`, 'gm')
    const found = sources.flatMap((text) => [...text.matchAll(imports)].map(([, what = '']) => what))
    const later = sources.flatMap((text) => [
      ...text.matchAll(new RegExp(`{ (\\w+) } = await import\\('${name}'`, 'g')),
    ])
    for (const what of found) assert.match(what, /^\{[^}]*\}$/, `${name}: ${what}`)
    const names = [...found.join().matchAll(/(?<=[{,]\s*)(?!type )(\w+)/g), ...later].map(([, one = '']) => one)
    assert.equal(
      names.filter((one) => shared[one] === undefined),
      [],
      name,
    )
  }
})

bundles.run()
