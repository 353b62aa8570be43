import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parseS3Address } from '../../../../src/adapters/objects/s3/address.js'
import { checkBucket } from '../../../../src/adapters/objects/s3/check.js'
import { refuse, s3Credentials, startS3, type TestS3 } from '../../../helpers/s3.js'

const check = suite('S3 check')
const limits = { idleMs: 200, retryMs: 1 }
let s3: TestS3
check.before(async () => {
  s3 = await startS3()
})
check.before.each(() => s3.reset())
check.after(() => s3.close())

const run = (credentials = s3Credentials, now = Date.now) =>
  checkBucket(parseS3Address(s3.address), credentials, { limits, now })

check('finds no fault in a bucket that works, and leaves no object', async () => {
  assert.equal(await run(), [])
  assert.match(s3.calls.join(), /^GET \S+,PUT (\/pets\/ai-gateway\/check-[0-9a-f]{24}),GET \1,DELETE \1$/)
})

const permissions: Readonly<Record<string, (method: string, path: string) => boolean>> = {
  's3:ListBucket': (_, path) => path.includes('list-type'),
  's3:PutObject': (method) => method === 'PUT',
  's3:GetObject': (method, path) => method === 'GET' && path.includes('check-') && !path.includes('list-type'),
  's3:DeleteObject': (method) => method === 'DELETE',
}
for (const [permission, isMeant] of Object.entries(permissions)) {
  check(`names ${permission} if the key lacks it`, async () => {
    s3.fault = ({ method, path }, response) => {
      if (!isMeant(method, path)) return false
      refuse(response, 403, 'AccessDenied')
      return true
    }
    const [fault = '', ...others] = await run()
    assert.is(fault, `The key may not use the bucket pets. Allow it ${permission}.`)
    // A get of an object that could not be put fails as well.
    assert.is(others.length, permission === 's3:PutObject' ? 1 : 0)
  })
}

const refusals: readonly (readonly [status: number, code: string, expected: RegExp])[] = [
  [404, 'NoSuchBucket', /^The bucket pets does not exist at http:\/\/127\.\S+ Create it, or correct its name\.$/],
  [403, 'InvalidAccessKeyId', /refuses the key\. Correct SVC_OBJECTS_KEY_ID and SVC_OBJECTS_SECRET\.$/],
  [403, 'RequestTimeTooSkewed', /^The clock of this machine is wrong\. Synchronize it/],
  [400, 'ExpiredToken', /^The session of the key has expired\. Set SVC_OBJECTS_SESSION_TOKEN/],
  [301, 'PermanentRedirect', /is not in the region us-east-1\. Set `region` to its own\.$/],
  [400, 'AuthorizationHeaderMalformed', /is not in the region us-east-1/],
  [501, 'NotImplemented', /answers 501 NotImplemented to s3:ListBucket\. Look for the reason in its log\.$/],
]
for (const [status, code, expected] of refusals) {
  check(`explains ${status} ${code} once`, async () => {
    s3.fault = (_, response) => {
      refuse(response, status, code)
      return true
    }
    const [fault = '', ...others] = await run()
    assert.match(fault, expected)
    assert.equal(others, [])
  })
}

check('explains a wrong secret without repeating it', async () => {
  const faults = await run({ keyId: 'S3RVER', secret: 'not-the-secret' })
  assert.match(faults.join(), /refuses the key/)
  assert.not.match(faults.join(), 'not-the-secret')
})

check('explains a store that cannot be reached', async () => {
  const gone = await startS3()
  await gone.close()
  const [fault = ''] = await checkBucket(parseS3Address(gone.address), s3Credentials, { limits })
  assert.match(fault, /does not answer\. Check `endpoint`, the network and its certificate\.$/)
})

for (const [minutes, expected] of [
  [6, [/ 6 minutes later than the object store's\. Synchronize it/]],
  [-6, [/ 6 minutes earlier than the object store's/]],
  [4, []],
] as const) {
  check(`compares the clocks: ${minutes} minutes`, async () => {
    const faults = await run(s3Credentials, () => Date.now() + minutes * 60_000)
    assert.is(faults.length, expected.length)
    for (const [index, pattern] of expected.entries()) assert.match(faults[index] ?? '', pattern)
  })
}

check('reports a store that ignores ranges', async () => {
  s3.fault = ({ method, path }, response) => {
    if (method !== 'GET' || path.includes('list-type')) return false
    response.writeHead(200, { etag: '"a"' }).end('the whole object')
    return true
  }
  assert.match((await run()).join(), /does not serve ranges with an ETag/)
})

check.run()
