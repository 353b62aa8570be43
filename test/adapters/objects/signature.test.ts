import { createSecretKey } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createUrlSignatures } from '../../../src/adapters/secret.js'

const signature = suite('signed addresses')
const secret = createSecretKey(Buffer.alloc(32, 1))
const signatures = createUrlSignatures(secret, 86_400)
const key = 'ai-gateway/avatars/one/lying.webp'
const now = new Date('2026-10-20T08:17:31Z')
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000)

function read(url: string) {
  const { pathname, searchParams } = new URL(url)
  return {
    key: pathname.replace('/objects/', ''),
    expires: searchParams.get('expires') ?? '',
    signature: searchParams.get('signature') ?? '',
  }
}

signature('name base, key, end and signature', () => {
  assert.match(
    signatures.sign(key, 'https://svc.test/pets', now),
    /^https:\/\/svc\.test\/pets\/objects\/ai-gateway\/avatars\/one\/lying\.webp\?expires=\d+&signature=[\w-]{43}$/,
  )
})

signature('are equal for an hour', () => {
  const first = signatures.sign(key, '', new Date('2026-10-20T08:00:01Z'))
  assert.is(signatures.sign(key, '', new Date('2026-10-20T08:59:59Z')), first)
  assert.is.not(signatures.sign(key, '', new Date('2026-10-20T09:00:01Z')), first)
})

for (const ttlSeconds of [1, 10, 60, 3600, 86_400, 604_800]) {
  signature(`are valid for ${ttlSeconds} s and little more`, () => {
    const own = createUrlSignatures(secret, ttlSeconds)
    const signed = read(own.sign(key, 'http://x', now))
    const lives = Number(signed.expires) - now.getTime() / 1000
    assert.ok(lives >= ttlSeconds && lives <= ttlSeconds + Math.max(1, ttlSeconds / 24), String(lives))
    assert.ok(own.isValid(key, signed, later(ttlSeconds - 0.001)))
    assert.not.ok(own.isValid(key, signed, later(lives)))
  })
}

const signed = read(signatures.sign(key, 'http://x', now))
const otherLetter = signed.signature.startsWith('A') ? 'B' : 'A'
const altered: [what: string, key: string, expires: string, signature: string][] = [
  ['another key', `${key}x`, signed.expires, signed.signature],
  ['a later expiry', key, String(Number(signed.expires) + 1), signed.signature],
  ['another spelling of the expiry', key, `0${signed.expires}`, signed.signature],
  ['no end', key, '', signed.signature],
  ['no signature', key, signed.expires, ''],
  ['half a signature', key, signed.expires, signed.signature.slice(0, 20)],
  ['more than a signature', key, signed.expires, `${signed.signature}AA`],
  ['padding', key, signed.expires, `${signed.signature}=`],
  ['another first letter', key, signed.expires, otherLetter + signed.signature.slice(1)],
  ['a long text', key, signed.expires, 'A'.repeat(10_000)],
]
for (const [what, ...[alteredKey, expires, text]] of altered) {
  signature(`are invalid with ${what}`, () => {
    assert.not.ok(signatures.isValid(alteredKey, { expires, signature: text }, now))
  })
}

signature('are valid unchanged, and invalid with another secret', () => {
  assert.ok(signatures.isValid(key, signed, now))
  const other = createUrlSignatures(createSecretKey(Buffer.alloc(32, 2)), 86_400)
  assert.not.ok(other.isValid(key, signed, now))
})

signature.run()
