import { createSecretKey } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parseS3Address } from '../../../../src/adapters/objects/s3/address.js'
import { openS3Objects } from '../../../../src/adapters/objects/s3/store.js'
import { createUrlSignatures } from '../../../../src/adapters/secret.js'
import { loadConfig } from '../../../../src/config.js'
import { s3Credentials, startS3 } from '../../../helpers/s3.js'

const session = suite('S3 with temporary credentials')
const signatures = createUrlSignatures(createSecretKey(Buffer.alloc(32)), 86_400)
const sessionToken = 'FwoGZXIvYXdzEBYaDH/+=token'

session('signs the token of the session with each request and each address', async () => {
  const s3 = await startS3()
  const store = openS3Objects(parseS3Address(s3.address), { ...s3Credentials, sessionToken }, signatures)
  const seen: IncomingHttpHeaders[] = []
  s3.fault = (_, { req }) => {
    seen.push(req.headers)
    return false
  }
  const key = 'ai-gateway/a.png'
  // The store verifies the signature of each request.
  await store.put(key, Buffer.from('picture'))
  assert.is(String(await store.get(key)), 'picture')
  for await (const { sizeBytes } of store.list('ai-gateway/')) assert.is(sizeBytes, 7)
  const url = await store.host.presign(key, 60)
  assert.is(new URL(url).searchParams.get('X-Amz-Security-Token'), sessionToken)
  assert.is(await (await fetch(url)).text(), 'picture')
  assert.is((await fetch(url.replace('token', 'another'))).status, 403)
  await store.delete(key)
  const signed = seen.filter(({ authorization }) => authorization !== undefined)
  assert.is(signed.length, 4)
  for (const headers of signed) {
    assert.is(headers['x-amz-security-token'], sessionToken)
    assert.match(headers.authorization ?? '', /SignedHeaders=[^,]*x-amz-security-token/)
  }
  await store.close()
  await s3.close()
})

const aws = { AWS_ACCESS_KEY_ID: 'A', AWS_SECRET_ACCESS_KEY: 'B', AWS_SESSION_TOKEN: 'C' }
const own = { SVC_OBJECTS_KEY_ID: 'a', SVC_OBJECTS_SECRET: 'b' }
const keys: readonly (readonly [title: string, variables: Record<string, string>, parts: readonly string[]])[] = [
  ['are those of AWS', aws, ['A', 'B', 'C']],
  ['are those of SVC alone, without a part of those of AWS', { ...aws, ...own }, ['a', 'b', '']],
  ['may have a session of their own', { ...aws, ...own, SVC_OBJECTS_SESSION_TOKEN: 'c' }, ['a', 'b', 'c']],
]
for (const [title, variables, parts] of keys) {
  session(title, () => {
    const { objectsKeyId, objectsSecret, objectsSessionToken } = loadConfig({}, variables)
    assert.equal([objectsKeyId, objectsSecret, objectsSessionToken], parts)
  })
}

session.run()
