// run: waits
import { createSecretKey, randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parseS3Address } from '../../../../src/adapters/objects/s3/address.js'
import { openS3Objects, type S3ObjectStore } from '../../../../src/adapters/objects/s3/store.js'
import { createUrlSignatures } from '../../../../src/adapters/secret.js'
import { loadConfig } from '../../../../src/config.js'
import { testObjectStore } from '../../../conformance/objects.js'
import { refuse, s3Credentials, startS3, type TestS3 } from '../../../helpers/s3.js'
import { thrownBy } from '../../../helpers/thrown.js'

const signatures = createUrlSignatures(createSecretKey(Buffer.alloc(32)), 86_400)

testObjectStore('S3', async () => {
  const s3 = await startS3()
  const store = openS3Objects(parseS3Address(s3.address), s3Credentials, signatures)
  const close = async () => {
    await store.close()
    await s3.close()
  }
  return { store, close, keepsReplaced: false }
})

const faults = suite('S3 faults')
const limits = { idleMs: 200, retryMs: 1 }
const key = 'ai-gateway/avatars/one/lying.webp'
const bytes = randomBytes(200_000)
let s3: TestS3
let store: S3ObjectStore

faults.before(async () => {
  s3 = await startS3()
  store = openS3Objects(parseS3Address(s3.address), s3Credentials, signatures, limits)
})
faults.before.each(async () => {
  s3.reset()
  await store.put(key, bytes)
  s3.reset()
})
faults.after(async () => {
  await store.close()
  await s3.close()
})

const read = async (stream: ReadableStream<Uint8Array> | undefined) =>
  Buffer.from(await new Response(stream).arrayBuffer())

/** Refuses the first requests with these statuses. */
function refuseFirst(code: string, ...statuses: number[]): void {
  s3.fault = (_, response) => {
    const status = statuses.shift()
    if (status !== undefined) refuse(response, status, code)
    return status !== undefined
  }
}

const operations: Readonly<Record<string, () => Promise<unknown>>> = {
  put: () => store.put(key, bytes),
  get: async () => assert.ok((await store.get(key)).equals(bytes)),
  open: async () => assert.is((await store.open(key))?.sizeBytes, bytes.length),
  delete: () => store.delete(key),
  list: async () => assert.is((await collect()).map((each) => each.key).join(), key),
}

async function collect() {
  const found = []
  for await (const object of store.list('ai-gateway/')) found.push(object)
  return found
}

for (const [name, run] of Object.entries(operations)) {
  faults(`${name} succeeds at the third attempt after 503 and 429`, async () => {
    refuseFirst('SlowDown', 503, 429)
    await run()
    assert.is(s3.calls.length, 3)
  })

  faults(`${name} throws \`unavailable\` after three answers of 500`, async () => {
    refuseFirst('InternalError', 500, 500, 500)
    const { code, cause } = await thrownBy(run())
    assert.equal([code, cause?.status, s3.calls.length], ['unavailable', 500, 3])
  })

  for (const [status, refusal] of [
    [403, 'SignatureDoesNotMatch'],
    [301, 'PermanentRedirect'],
    [400, 'AuthorizationHeaderMalformed'],
  ] as const) {
    faults(`${name} throws \`unavailable\` at the first ${status}, with the cause`, async () => {
      refuseFirst(refusal, status)
      const { code, cause, message } = await thrownBy(run())
      assert.equal([code, cause?.status, s3.calls.length], ['unavailable', status, 1])
      assert.match(cause?.message ?? '', String(status))
      assert.not.match(message, /S3|127/)
    })
  }

  faults(`${name} throws \`unavailable\` if the bucket does not exist`, async () => {
    refuseFirst('NoSuchBucket', 404)
    assert.is((await thrownBy(run())).code, 'unavailable')
    assert.is(s3.calls.length, 1)
  })

  for (const [what, lose] of [
    ['a store that does not answer', () => {}],
    ['a lost connection', (response: ServerResponse) => response.destroy()],
  ] as const) {
    faults(`${name} makes another attempt after ${what}`, async () => {
      s3.fault = (_, response) => {
        if (s3.calls.length === 1) lose(response)
        return s3.calls.length === 1
      }
      await run()
      assert.is(s3.calls.length, 2)
    })
  }
}

faults('put makes another attempt after a store that stops reading', async () => {
  s3.fault = () => s3.calls.length === 1
  const large = randomBytes(16 << 20)
  // On a busy machine, a part of so large a file may take longer than the others' limit.
  const patient = openS3Objects(parseS3Address(s3.address), s3Credentials, signatures, { ...limits, idleMs: 4000 })
  await patient.put(key, large)
  assert.is(s3.calls.length, 2)
  assert.ok((await patient.get(key)).equals(large))
  await patient.close()
})

faults('a store that cannot be reached is `unavailable`', async () => {
  const gone = await startS3()
  await gone.close()
  const closed = openS3Objects(parseS3Address(gone.address), s3Credentials, signatures, limits)
  assert.is((await thrownBy(closed.put(key, bytes))).code, 'unavailable')
  assert.is((await thrownBy(closed.get(key))).code, 'unavailable')
  await closed.close()
})

faults('a wrong secret is `unavailable`, and no error holds the secret', async () => {
  const secret = 'not-the-secret'
  const wrong = openS3Objects(parseS3Address(s3.address), { ...s3Credentials, secret }, signatures, limits)
  const failure = await thrownBy(wrong.get(key))
  assert.equal([failure.code, failure.cause?.status], ['unavailable', 403])
  assert.not.match(`${failure.message} ${JSON.stringify(failure.cause)} ${failure.cause?.stack}`, secret)
  await wrong.close()
})

faults('empty credentials are refused, because requests would not be signed', () => {
  const credentials = { keyId: '', secret: ' ' }
  assert.throws(() => openS3Objects(parseS3Address(s3.address), credentials, signatures), /SVC_OBJECTS_KEY_ID/)
})

faults('bytes that are damaged on their way are refused by their MD5 and not stored', async () => {
  s3.damagesBodies = true
  const { code, cause } = await thrownBy(store.put(key, Buffer.from('other')))
  assert.equal([code, cause?.status, s3.calls.length], ['unavailable', 400, 1])
  assert.ok((await store.get(key)).equals(bytes))
})

/** Sends half of the body, then destroys the connection or keeps it open, the first `times` times. */
function breakBodies(times: number, how: 'cut' | 'hang'): void {
  let left = times
  s3.onAnswer = (response, body) => {
    if (left === 0 || body.length < 1000) return body
    left -= 1
    response.write(body.subarray(0, body.length / 2), () => how === 'cut' && response.destroy())
    return undefined
  }
}

faults('a body that is cut three times continues where it was', async () => {
  const opened = await store.open(key)
  breakBodies(3, 'cut')
  s3.calls.length = 0
  assert.ok((await read(opened?.stream())).equals(bytes))
  assert.is(s3.calls.length, 4)
  breakBodies(3, 'cut')
  assert.ok((await store.get(key, { start: 5, end: 150_000 })).equals(bytes.subarray(5, 150_001)))
})

faults('a body that is cut four times is `unavailable`', async () => {
  const opened = await store.open(key)
  breakBodies(4, 'cut')
  assert.is((await thrownBy(read(opened?.stream()))).code, 'unavailable')
  breakBodies(4, 'cut')
  assert.is((await thrownBy(store.get(key))).code, 'unavailable')
})

faults('a body that stops without an end continues where it was', async () => {
  breakBodies(1, 'hang')
  assert.ok((await store.get(key)).equals(bytes))
  assert.is(s3.calls.length, 2)
})

for (const ignoresIfMatch of [false, true]) {
  const title = ignoresIfMatch ? 'by a store that ignores `If-Match`' : 'by a store that knows `If-Match`'
  faults(`a stream never mixes two states of an object: ${title}`, async () => {
    s3.ignoresIfMatch = ignoresIfMatch
    const opened = await store.open(key)
    breakBodies(1, 'cut')
    const reader = opened?.stream().getReader()
    const first = await reader?.read()
    assert.ok(Buffer.from(first?.value ?? []).equals(bytes.subarray(0, first?.value?.length)))
    await store.put(key, randomBytes(bytes.length))
    const rest = async () => {
      while (!(await reader?.read())?.done);
    }
    assert.is((await thrownBy(rest())).code, 'unavailable')
  })
}

faults('a slow body is read to its end, although it takes longer than the limit for no progress', async () => {
  const opened = await store.open(key)
  s3.onAnswer = (response, body) => {
    const pieces = 6
    let sent = 0
    const timer = setInterval(() => {
      response.write(body.subarray((sent * body.length) / pieces, ((sent + 1) * body.length) / pieces))
      sent += 1
      if (sent < pieces) return
      clearInterval(timer)
      response.end()
    }, limits.idleMs / 3)
    return undefined
  }
  assert.ok((await read(opened?.stream())).equals(bytes))
  assert.is(s3.calls.length, 2)
})

faults('a stream asks for nothing before it is read, and for nothing after it is canceled', async () => {
  const opened = await store.open(key)
  s3.calls.length = 0
  await opened?.stream().cancel()
  const stream = opened?.stream()
  await opened?.close()
  assert.is(s3.calls.length, 0)
  const answered = new Promise<ServerResponse>((resolve) => {
    s3.onAnswer = (response) => {
      resolve(response)
      return undefined
    }
  })
  const reader = stream?.getReader()
  const reading = reader?.read()
  const response = await answered
  const closed = new Promise((resolve) => response.once('close', resolve))
  await reader?.cancel()
  assert.equal(await reading, { done: true, value: undefined })
  response.flushHeaders()
  await closed
  assert.is(s3.calls.length, 1)
})

faults('requests one after another use the same connection', async () => {
  const fresh = openS3Objects(parseS3Address(s3.address), s3Credentials, signatures, limits)
  s3.reset()
  for (let count = 0; count < 5; count++) {
    await fresh.put(key, bytes)
    await fresh.get(key)
    await read((await fresh.open(key))?.stream())
    await fresh.findHead('ai-gateway/missing.jpg')
  }
  // A request that begins while the answer before it ends may find the connection still in use, and open another one.
  assert.ok(s3.connections <= 2, `${s3.connections} connections for 20 requests`)
  await fresh.close()
})

faults('a key is signed into an address of the store that needs no credentials', async () => {
  const address = await store.host.presign(key, 60)
  const answer = await fetch(address)
  assert.equal([answer.status, answer.headers.get('content-type')], [200, 'image/webp'])
  assert.ok(Buffer.from(await answer.arrayBuffer()).equals(bytes))
  const altered = await fetch(address.replace('lying', 'other'))
  assert.is(altered.status, 403)
  await altered.body?.cancel()
})

faults('lists page by page, and leaves out keys that are not ours', async () => {
  const pages: Readonly<Record<string, string>> = {
    '': '<IsTruncated>true</IsTruncated><NextContinuationToken>a+/=</NextContinuationToken>',
    'a+/=': '<IsTruncated>false</IsTruncated>',
  }
  s3.fault = ({ path }, response) => {
    const query = new URL(path, 'http://store').searchParams
    assert.is(query.get('prefix'), 'ai-gateway/')
    const token = query.get('continuation-token') ?? ''
    const entries = ['ai-gateway/a', 'ai-gateway/folder/', 'ai-gateway/b.webp'].map(
      (name) =>
        `<Contents><Key>${name}${token && '2'}</Key><LastModified>2026-10-20T08:00:00.000Z</LastModified><Size>7</Size></Contents>`,
    )
    response.writeHead(200, { 'content-type': 'application/xml' })
    response.end(`<ListBucketResult>${pages[token]}${entries.join('')}</ListBucketResult>`)
    return true
  }
  const found = await collect()
  assert.equal(
    found.map((each) => each.key),
    ['ai-gateway/a', 'ai-gateway/b.webp', 'ai-gateway/a2', 'ai-gateway/folder/2', 'ai-gateway/b.webp2'],
  )
  assert.equal(found[0], { key: 'ai-gateway/a', sizeBytes: 7, storedAt: Date.parse('2026-10-20T08:00:00Z') })
})

faults('the token of a session is signed with each request and each address', async () => {
  const credentials = { ...s3Credentials, sessionToken: 'FwoGZXIvYXdzEBYaDH/+=token' }
  const temporary = openS3Objects(parseS3Address(s3.address), credentials, signatures)
  const seen: IncomingHttpHeaders[] = []
  s3.fault = (_, { req }) => {
    seen.push(req.headers)
    return false
  }
  // The store verifies the signature of each request.
  await temporary.put(key, Buffer.from('picture'))
  assert.is(String(await temporary.get(key)), 'picture')
  for await (const { sizeBytes } of temporary.list(key)) assert.is(sizeBytes, 7)
  const url = await temporary.host.presign(key, 60)
  assert.is(new URL(url).searchParams.get('X-Amz-Security-Token'), credentials.sessionToken)
  assert.is(await (await fetch(url)).text(), 'picture')
  assert.is((await fetch(url.replace('token', 'another'))).status, 403)
  await temporary.delete(key)
  const signed = seen.filter(({ authorization }) => authorization !== undefined)
  assert.is(signed.length, 4)
  for (const headers of signed) {
    assert.is(headers['x-amz-security-token'], credentials.sessionToken)
    assert.match(headers.authorization ?? '', /SignedHeaders=[^,]*x-amz-security-token/)
  }
  await temporary.close()
})

const aws = { AWS_ACCESS_KEY_ID: 'A', AWS_SECRET_ACCESS_KEY: 'B', AWS_SESSION_TOKEN: 'C' }
const own = { SVC_OBJECTS_KEY_ID: 'a', SVC_OBJECTS_SECRET: 'b' }
const keys: readonly (readonly [title: string, variables: Record<string, string>, parts: readonly string[]])[] = [
  ['are those of AWS', aws, ['A', 'B', 'C']],
  ['are those of SVC alone, without a part of those of AWS', { ...aws, ...own }, ['a', 'b', '']],
  ['may have a session of their own', { ...aws, ...own, SVC_OBJECTS_SESSION_TOKEN: 'c' }, ['a', 'b', 'c']],
]
for (const [title, variables, parts] of keys) {
  faults(`keys ${title}`, () => {
    const { objectsKeyId, objectsSecret, objectsSessionToken } = loadConfig({}, variables)
    assert.equal([objectsKeyId, objectsSecret, objectsSessionToken], parts)
  })
}

faults.run()
