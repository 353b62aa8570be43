import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createPseudonyms, openSecret } from '../../src/adapters/secret.js'
import { openTemporaryFolder } from '../helpers/temporary.js'

const secret = suite('secret')
let place: ReturnType<typeof openTemporaryFolder>
let file: string
secret.before.each(() => {
  place = openTemporaryFolder()
  file = join(place.folder, 'secret')
})
secret.after.each(() => place.close())

secret('is made once, for its owner alone, and gives the same hashes again', () => {
  const first = createPseudonyms(openSecret(file))
  assert.match(readFileSync(file, 'utf8'), /^[0-9a-f]{64}\n$/)
  assert.is(statSync(file).mode & 0o777, 0o600)
  assert.equal(readdirSync(place.folder), ['secret'])
  assert.is(createPseudonyms(openSecret(file)).user('a'), first.user('a'))
  assert.is.not(first.user('a'), first.pet('a'))
})

for (const [what, content] of [
  ['nothing', ''],
  ['words', 'secret\n'],
  ['half a secret', 'ab'.repeat(16)],
  ['too much', 'ab'.repeat(33)],
] as const) {
  secret(`that holds ${what} is refused with a fix, and not changed`, () => {
    writeFileSync(file, content)
    const isRefusal = (error: Error & { code?: string }) =>
      error.code === 'unavailable' && /must hold 64 hexadecimal digits.*delete it/.test(error.message)
    assert.throws(() => createPseudonyms(openSecret(file)), isRefusal)
    assert.is(readFileSync(file, 'utf8'), content)
  })
}

secret('is not made in place of a link to a file that does not exist', () => {
  symlinkSync(join(place.folder, 'none'), file)
  const isRefusal = (error: Error) =>
    error.message === `${file} is a link to a file that does not exist. Make that file, or remove the link.`
  assert.throws(() => openSecret(file), isRefusal)
})

secret.run()
