import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { runNode } from '../helpers/svc.js'
import { openTemporaryFolder } from '../helpers/temporary.js'

const prepare = suite('npm ci --omit=dev')
const place = openTemporaryFolder()
const script = join(place.folder, 'src/build/prepare.cjs')
prepare.before(() => {
  mkdirSync(join(place.folder, 'src/build'), { recursive: true })
  cpSync(fileURLToPath(new URL('../../src/build/prepare.cjs', import.meta.url)), script)
})
prepare.after(place.close)

prepare('says what to do if there is no build', () => {
  const { status, stderr } = runNode([script])
  assert.is(status, 1)
  assert.match(stderr, 'Run "npm ci", then "npm prune --omit=dev"')
})

prepare('keeps a build that is there', () => {
  place.write('dist/cli.cjs', '')
  assert.equal(runNode([script]), { status: 0, stdout: '', stderr: '' })
})

prepare.run()
