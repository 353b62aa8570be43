// run: fleet
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { program, type RunOptions, runNode } from '../helpers/svc.js'
import { openTemporaryFolder } from '../helpers/temporary.js'

const nodes = suite('svc with other versions of Node')
const place = openTemporaryFolder()
nodes.after(place.close)

const [major] = process.versions.node.split('.')
const data = ['--data-dir', join(place.folder, 'data')]

/** Runs the program on SQLite, and never on the store of the tests. */
const run = (args: readonly string[], options: RunOptions) => runNode([program, ...args], options)

/** Returns the environment of a program that runs `code` first. */
function preload(name: string, code: string) {
  place.write(name, code)
  return { env: { NODE_OPTIONS: `--require ${join(place.folder, name)}`, SVC_PORT: '0' } }
}

nodes('refuses to start with a Node that is too old', () => {
  const old = preload(
    'old.cjs',
    "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.18.3' } })",
  )
  const stderr = 'svc needs Node 20.19 or newer, and this is Node 20.18.3.\n'
  assert.equal(run(['--version'], old), { status: 2, stdout: '', stderr })
})

nodes('npm ci refuses a Node that is too old', () => {
  assert.match(readFileSync(new URL('../../.npmrc', import.meta.url), 'utf8'), /^engine-strict=true$/m)
})

const binaries: [what: string, error: string, message: string][] = [
  [
    'was compiled for another Node',
    'was compiled against a different Node.js version using\\nNODE_MODULE_VERSION 108. This version of Node.js requires',
    `svc was installed for Node 18, and this is Node ${major}: run "npm ci" in the folder of svc, or install its package again.`,
  ],
  [
    'does not load',
    'libstdc++.so.6: cannot open shared object file',
    `The SQLite driver of svc cannot be loaded with Node ${major}: run "npm ci" in the folder of svc, or install its package again.`,
  ],
]
for (const [index, [what, error, message]] of binaries.entries()) {
  nodes(`names the fix where the binary of SQLite ${what}`, () => {
    const broken = preload(
      'broken.cjs',
      `const { dlopen } = process
       process.dlopen = (module, file, ...more) => {
         if (/better_sqlite3[^/]*\\.node$/.test(file)) throw new Error('${error}')
         dlopen.call(process, module, file, ...more)
       }`,
    )
    const { status, stdout } = run(['doctor', '--json', ...data], broken)
    assert.is(status, 1)
    const problems = JSON.parse(stdout).findings.filter(({ state }: { state: string }) => state === 'problem')
    assert.equal(
      problems.map((problem: { check: string; message: string }) => [problem.check, problem.message]),
      [['sqlite', message]],
    )
    if (index > 0) return
    for (const command of [
      ['key', 'create', '--name', 'a', ...data],
      ['demo', '--no-open'],
    ]) {
      assert.equal(run(command, broken), { status: 2, stdout: '', stderr: `svc: ${message}\n` })
    }
  })
}

nodes.run()
