// run: fleet, only if named
import { createHash, createSecretKey, randomBytes } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parseS3Address } from '../../../../src/adapters/objects/s3/address.js'
import { checkBucket } from '../../../../src/adapters/objects/s3/check.js'
import { createS3Client, findServiceCode, findStatus, s3Limits } from '../../../../src/adapters/objects/s3/client.js'
import { openS3Objects, type S3ObjectStore } from '../../../../src/adapters/objects/s3/store.js'
import { createUrlSignatures } from '../../../../src/adapters/secret.js'
import { testObjectStore } from '../../../conformance/objects.js'
import { reportSkip } from '../../../helpers/skip.js'
import {
  findSwift,
  startSwift,
  swiftCredentials,
  swiftKeysPerPage,
  swiftStranger,
  type TestSwift,
} from '../../../helpers/swift.js'
import { thrownBy } from '../../../helpers/thrown.js'

const swift = suite('S3 of Swift')
const programs = findSwift()
if (programs === undefined) {
  swift('runs', () => reportSkip('the object store on OpenStack Swift: swift-proxy-server is not installed'))
} else {
  testSwift(programs)
}
swift.run()

function testSwift(programs: string): void {
  const signatures = createUrlSignatures(createSecretKey(Buffer.alloc(32)), 86_400)
  let started: TestSwift
  let store: S3ObjectStore

  testObjectStore('S3 of Swift', async () => {
    started = await startSwift(programs)
    store = openS3Objects(parseS3Address(started.address), swiftCredentials, signatures)
    // The suite below goes on with both.
    return { store, close: () => {}, keepsReplaced: false }
  })

  swift.after(async () => {
    await store.close()
    await started.close()
  })

  swift('answers the address of an object for a limited time, and no altered one', async () => {
    const key = 'ai-gateway/signed/lying.webp'
    const bytes = randomBytes(5000)
    await store.put(key, bytes)
    await store.put('ai-gateway/signed/other.webp', bytes)
    const address = await store.host.presign(key, 60)
    const answer = await fetch(address)
    assert.equal([answer.status, answer.headers.get('content-type')], [200, 'image/webp'])
    assert.ok(Buffer.from(await answer.arrayBuffer()).equals(bytes))
    const part = await fetch(address, { headers: { range: 'bytes=10-19' } })
    assert.is(part.status, 206)
    assert.ok(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(10, 20)))
    const lastDigit = address.endsWith('0') ? '1' : '0'
    const altered = {
      key: address.replace('lying', 'other'),
      time: address.replace('X-Amz-Expires=60', 'X-Amz-Expires=61'),
      signature: address.slice(0, -1) + lastDigit,
      'no signature': address.replace(/&X-Amz-Signature=.*/, ''),
    }
    for (const [title, url] of Object.entries(altered)) {
      assert.is.not(url, address, title)
      assert.is(await readStatus(fetch(url)), 403, title)
    }
    assert.is(await readStatus(fetch(address, { method: 'DELETE' })), 403)
  })

  const refusedKeys = {
    'a wrong secret': { ...swiftCredentials, secret: 'not-the-secret' },
    'an unknown key': { keyId: 'pets:nobody', secret: 'not-the-secret' },
  }
  for (const [title, credentials] of Object.entries(refusedKeys)) {
    swift(`explains ${title} without repeating it`, async () => {
      const address = parseS3Address(started.address)
      assert.equal(await checkBucket(address, credentials), [
        `${address.endpoint} refuses the key. Correct SVC_OBJECTS_KEY_ID and SVC_OBJECTS_SECRET.`,
      ])
    })
  }

  swift('names the fault of the settings', async () => {
    const address = parseS3Address(started.address)
    assert.equal(await checkBucket(address, swiftCredentials), [])
    assert.equal(
      await checkBucket(address, swiftStranger),
      ['List', 'Put', 'Get', 'Delete'].map(
        (verb) => `The key may not use the bucket pets. Allow it s3:${verb}${verb === 'List' ? 'Bucket' : 'Object'}.`,
      ),
    )
    const elsewhere = parseS3Address(`${started.address}&region=eu-central-1`)
    assert.equal(await checkBucket(elsewhere, swiftCredentials), [
      'The bucket pets is not in the region eu-central-1. Set `region` to its own.',
    ])
    const missing = parseS3Address(started.address.replace('pets', 'birds'))
    assert.equal(await checkBucket(missing, swiftCredentials), [
      `The bucket birds does not exist at ${address.endpoint}. Create it, or correct its name.`,
    ])
  })

  swift('stores nothing whose MD5 is another', async () => {
    const key = 'ai-gateway/damaged.jpg'
    const { s3, close } = createS3Client(parseS3Address(started.address), swiftCredentials, s3Limits)
    const md5 = { 'content-md5': createHash('md5').update('another picture').digest('base64') }
    const error = await thrownBy(s3.putObject(key, 'picture', 'image/jpeg', undefined, md5))
    assert.equal([findStatus(error), findServiceCode(error)], [400, 'BadDigest'])
    assert.is(await store.findHead(key), undefined)
    await close()
  })

  swift('lists the keys of a prefix over several pages, each once', async () => {
    const keys = Array.from({ length: 2 * swiftKeysPerPage + 1 }, (_, index) => `ai-gateway/pages/${index + 10}.jpg`)
    for (const key of [...keys, 'ai-gateway/pages-of-others/a.jpg']) await store.put(key, Buffer.from(key))
    const found = await collect(store, 'ai-gateway/pages/')
    assert.equal(
      found.map(({ key, sizeBytes }) => [key, sizeBytes]),
      keys.map((key) => [key, key.length]),
    )
    for (const { storedAt } of found) assert.ok(Math.abs(storedAt - Date.now()) < 60_000)
    for (const key of keys.slice(0, swiftKeysPerPage + 1)) await store.delete(key)
    const rest = await collect(store, 'ai-gateway/pages/')
    assert.equal(
      rest.map(({ key }) => key),
      keys.slice(swiftKeysPerPage + 1),
    )
  })
}

async function collect(store: S3ObjectStore, prefix: string) {
  const found = []
  for await (const each of store.list(prefix)) found.push(each)
  return found
}

async function readStatus(answered: Promise<Response>): Promise<number> {
  const { status, body } = await answered
  await body?.cancel()
  return status
}
