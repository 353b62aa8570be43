import { setTimeout as wait } from 'node:timers/promises'
import { S3mini, S3ServiceError } from 's3mini'
import { Agent, fetch, type RequestInit } from 'undici'
import { isSvcError, SvcError } from '../../../errors.js'
import { splitInTurns } from '../../../runtime/turns.js'
import type { S3Address } from './address.js'

export interface S3Credentials {
  readonly keyId: string
  readonly secret: string
  /** Of temporary credentials. */
  readonly sessionToken?: string
}

export interface S3Limits {
  /** Limit for an attempt that makes no progress: connecting, sending, waiting for the response or receiving. */
  readonly idleMs: number
  /** The wait before the second attempt; doubled for the third. */
  readonly retryMs: number
}

export const s3Limits: S3Limits = { idleMs: 10_000, retryMs: 200 }

export type S3Client = ReturnType<typeof createS3Client>

const attemptsAtMost = 3

/** Creates a client of one bucket. Throws `invalid_request` without credentials, because it would not sign its requests. */
export function createS3Client({ bucketUrl, region }: S3Address, credentials: S3Credentials, limits: S3Limits) {
  if (credentials.keyId.trim() === '' || credentials.secret.trim() === '') {
    throw new SvcError(
      'invalid_request',
      'The object store needs a key. Set SVC_OBJECTS_KEY_ID and SVC_OBJECTS_SECRET, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
    )
  }
  const { idleMs, retryMs } = limits
  const agent = new Agent({ headersTimeout: idleMs, bodyTimeout: idleMs, connectTimeout: idleMs })
  const s3 = new S3mini({
    accessKeyId: credentials.keyId,
    secretAccessKey: credentials.secret,
    endpoint: bucketUrl,
    region,
    // A redirect leads to another host, for which the signature is not valid.
    // The types of Node's and of undici's requests differ only in members that the library does not set.
    fetch: (url, init) => {
      const options = { ...(init as RequestInit), dispatcher: agent, redirect: 'manual' } as const
      return fetch(String(url), { ...options, ...sendInTurns(options.body) })
    },
  })
  const { sessionToken } = credentials
  if (sessionToken !== undefined) signWithSession(s3, sessionToken)
  /** Waits before the next attempt; `failures` is at least 1. */
  const backOff = (failures: number) => wait(retryMs * 2 ** (failures - 1) * (0.75 + Math.random() / 2))

  /** Makes up to three attempts while the failure is temporary. Throws the failure as it is. */
  async function retry<T>(work: () => Promise<T>): Promise<T> {
    for (let attempts = 1; ; attempts++) {
      try {
        return await work()
      } catch (error) {
        if (attempts === attemptsAtMost || !isTemporary(error)) throw error
        await backOff(attempts)
      }
    }
  }

  return { s3, retry, backOff, close: () => agent.destroy() }
}

/** Sends a file in pieces. Given as a whole, it is copied first, which holds the main loop; its length is in the headers. */
function sendInTurns(body: RequestInit['body']): RequestInit {
  return body instanceof Uint8Array ? { body: splitInTurns(body), duplex: 'half' } : {}
}

interface Signer {
  _sign(method: string, path: string, query: object, headers: Readonly<Record<string, unknown>>): Promise<unknown>
}

/** Adds the token to each request. The library has no setting for it, but signs all headers that it is given. */
function signWithSession(s3: S3mini, token: string): void {
  const signer = s3 as unknown as Signer
  const sign = signer._sign.bind(s3)
  signer._sign = (method, path, query, headers) =>
    sign(method, path, query, { ...headers, 'x-amz-security-token': token })
}

/** True unless the store refused the request; also for lost connections and time-outs. */
function isTemporary(error: unknown): boolean {
  const status = findStatus(error)
  return status === undefined ? !isSvcError(error) : status >= 500 || status === 429
}

/** Returns the status of a refused request; undefined for other errors. */
export function findStatus(error: unknown): number | undefined {
  return error instanceof S3ServiceError ? error.status : undefined
}

/** Returns the store's own code of a refused request, such as `NoSuchKey`; undefined for other errors. */
export function findServiceCode(error: unknown): string | undefined {
  // The library reads the code only if the type of the response has no parameters.
  return error instanceof S3ServiceError ? /<Code>(\w+)<\/Code>/.exec(error.body ?? '')?.[1] : undefined
}

/** True if the object does not exist. A missing bucket is a fault of the settings. */
export function isMissing(error: unknown): boolean {
  return findStatus(error) === 404 && findServiceCode(error) !== 'NoSuchBucket'
}
