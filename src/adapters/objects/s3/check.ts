import { randomBytes } from 'node:crypto'
import type { S3Address } from './address.js'
import { createS3Client, findServiceCode, findStatus, type S3Credentials, s3Limits } from './client.js'

/** Stores accept 15 minutes; a clock that is this wrong will soon be worse. */
const clockToleranceMs = 300_000

/**
 * Checks that the bucket answers, that the key may list, put, get and delete, and that the clock is right. Returns a sentence
 * with the fix for each fault.
 */
export async function checkBucket(
  address: S3Address,
  credentials: S3Credentials,
  { limits = s3Limits, now = Date.now } = {},
): Promise<string[]> {
  const { s3, retry, close } = createS3Client(address, credentials, limits)
  const key = `ai-gateway/check-${randomBytes(12).toString('hex')}`
  const written = key
  const steps: Readonly<Record<string, () => Promise<string | undefined>>> = {
    's3:ListBucket': async () => ((await s3.listObjectsPaged('/', key, 1)) ? undefined : explainMissing(address)),
    's3:PutObject': async () => findClockFault((await s3.putObject(key, written)).headers.get('date'), now()),
    's3:GetObject': async () => {
      const response = await s3.getObjectRaw(key, false, 1, 11)
      const isRange = response.status === 206 && (await response.text()) === written.slice(1, 11)
      const isWhole = response.headers.has('etag') && response.headers.has('content-range')
      return isRange && isWhole
        ? undefined
        : `${address.endpoint} does not serve ranges with an ETag. Use another store.`
    },
    's3:DeleteObject': async () => {
      await s3.deleteObject(key)
      return undefined
    },
  }
  const faults: string[] = []
  try {
    for (const [permission, step] of Object.entries(steps)) {
      try {
        faults.push((await retry(step)) ?? '')
      } catch (error) {
        faults.push(explain(error, permission, address))
        // A key that lacks one permission may have the others; any other fault repeats.
        if (findServiceCode(error) !== 'AccessDenied') break
      }
    }
  } finally {
    await close()
  }
  return [...new Set(faults)].filter((fault) => fault !== '')
}

function findClockFault(date: string | null, now: number): string | undefined {
  const aheadMs = now - Date.parse(date ?? '')
  if (!(Math.abs(aheadMs) > clockToleranceMs)) return undefined
  const minutes = Math.round(Math.abs(aheadMs) / 60_000)
  const relation = aheadMs > 0 ? 'later' : 'earlier'
  return `The clock of this machine shows a time ${minutes} minutes ${relation} than the object store's. ${fixClock}`
}

const fixClock = 'Synchronize it, for example with chrony.'

function explainMissing({ bucket, endpoint }: S3Address): string {
  return `The bucket ${bucket} does not exist at ${endpoint}. Create it, or correct its name.`
}

function explain(error: unknown, permission: string, address: S3Address): string {
  const { bucket, endpoint, region } = address
  const status = findStatus(error)
  const code = findServiceCode(error) ?? ''
  if (status === undefined) return `${endpoint} does not answer. Check \`endpoint\`, the network and its certificate.`
  if (code === 'NoSuchBucket') return explainMissing(address)
  if (code === 'RequestTimeTooSkewed') return `The clock of this machine is wrong. ${fixClock}`
  if (code === 'ExpiredToken') {
    return 'The session of the key has expired. Set SVC_OBJECTS_SESSION_TOKEN, and its key, to those of a new session.'
  }
  if (code === 'AccessDenied') return `The key may not use the bucket ${bucket}. Allow it ${permission}.`
  if (status === 301 || status === 307 || code === 'AuthorizationHeaderMalformed') {
    return `The bucket ${bucket} is not in the region ${region}. Set \`region\` to its own.`
  }
  if (status === 401 || status === 403) {
    return `${endpoint} refuses the key. Correct SVC_OBJECTS_KEY_ID and SVC_OBJECTS_SECRET.`
  }
  return `${endpoint} answers ${status} ${code} to ${permission}. Look for the reason in its log.`
}
