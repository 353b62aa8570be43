import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { sharedModules } from '../../src/build/entries.js'

/**
 * The build makes a bundle of each module that `import('./x.js')` loads and of each shared one, with its own copy of every
 * class that it imports. An instance from one bundle is therefore not an instance of the class of another.
 */
const bundles = suite('classes in bundles')
const root = new URL('../../src/', import.meta.url)

interface Source {
  /** Its imports that remain at run time. */
  readonly imports: readonly string[]
  /** The modules that it loads later: each is a bundle. */
  readonly loads: readonly string[]
  readonly makes: readonly string[]
  readonly checks: readonly string[]
}

const isShared = (file: string) => sharedModules.includes(file.replace(/\.ts$/, ''))
const sources = new Map<string, Source>()
const classes = new Set<string>()
for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
  const file = name.replaceAll('\\', '/')
  // Scripts of pages are bundled one by one, and the build is not.
  if (!file.endsWith('.ts') || /^(build|pages|copydesk\/browser)\//.test(file)) continue
  const text = readFileSync(new URL(file, root), 'utf8')
  const find = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = '']) => found)
  const toFile = (path: string) => posix.join(posix.dirname(file), path).replace(/\.js$/, '.ts')
  const imports = find(/^(?:import|export)\s+(?!type\b)[^;]*?from '(\.[^']+)'/gm).map(toFile)
  for (const found of find(/\bclass (\w+)/g)) classes.add(found)
  sources.set(file, {
    imports: imports.filter((name) => !isShared(name)),
    loads: [...find(/\bimport\(\s*'(\.[^']+)'/g).map(toFile), ...imports.filter(isShared)],
    makes: find(/\b(?:new|extends) (\w+)/g),
    checks: find(/\binstanceof (\w+)/g),
  })
}

/** Adds what can be reached from a name. */
function reach(name: string, next: (name: string) => Iterable<string>, found = new Set<string>()): Set<string> {
  for (const one of next(name)) {
    if (found.has(one)) continue
    found.add(one)
    reach(one, next, found)
  }
  return found
}

const importsOf = (file: string) => sources.get(file)?.imports ?? []
const entries = new Set(['cli.ts', ...[...sources.values()].flatMap(({ loads }) => loads)])
const contents = new Map([...entries].map((entry) => [entry, reach(entry, importsOf, new Set([entry]))]))
const collect = (entry: string, member: 'makes' | 'checks' | 'loads') =>
  new Set([...(contents.get(entry) ?? [])].flatMap((file) => sources.get(file)?.[member] ?? []))

bundles('no bundle compares with instanceof what a bundle that it loads makes', () => {
  const wrong: string[] = []
  for (const entry of entries) {
    const checks = [...collect(entry, 'checks')].filter((name) => classes.has(name))
    if (checks.length === 0) continue
    for (const loaded of reach(entry, (name) => collect(name, 'loads'))) {
      const makes = collect(loaded, 'makes')
      for (const name of checks) if (makes.has(name)) wrong.push(`${name}: ${entry} compares, ${loaded} makes it`)
    }
  }
  assert.equal(wrong, [], 'compare a member, as isSvcError does')
})

bundles('finds the bundles and the classes', () => {
  assert.ok(entries.size > 60, `${entries.size}`)
  assert.ok(contents.get('app.ts')?.has('server/server.ts'))
  assert.ok(collect('server/node/broken-response.ts', 'makes').has('BrokenResponse'))
  assert.ok(classes.has('SvcError'))
})

bundles.run()
