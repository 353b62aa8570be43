import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, request as openRequest, type Server, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import type { S3Credentials } from '../../src/adapters/objects/s3/client.js'
import { openTemporaryFolder } from './temporary.js'

interface S3rver {
  configureBuckets(): Promise<unknown>
  callback(): (request: IncomingMessage, response: ServerResponse) => void
}

/** The library has no types. */
const S3rver: new (options: object) => S3rver = createRequire(import.meta.url)('@20minutes/s3rver')

export const s3Credentials: S3Credentials = { keyId: 'S3RVER', secret: 'S3RVER' }

/** Handles a request in place of the store; returns false, now or later, to leave it to the store. */
export type Fault = (
  call: { readonly method: string; readonly path: string },
  response: ServerResponse,
) => boolean | Promise<boolean>

export interface TestS3 {
  /** `s3://` address of an empty bucket. */
  readonly address: string
  readonly endpoint: string
  /** The folder whose folders are buckets. */
  readonly folder: string
  /** Method and path of each request since the last `reset`. */
  readonly calls: string[]
  /** Connections since the last `reset`. */
  connections: number
  fault: Fault
  /** Called with each answer of the store before its body is sent. */
  onAnswer: (response: ServerResponse, body: Buffer) => Buffer | undefined
  ignoresIfMatch: boolean
  /** True to change a byte of each body on its way. */
  damagesBodies: boolean
  reset(): void
  close(): Promise<void>
}

/**
 * Starts s3rver after a proxy that adds what s3rver lacks: Content-MD5, `If-Match`, atomic replacement, ranges of
 * empty objects, and faults. It ends with the process if it does not keep that.
 */
export async function startS3(bucket = 'pets', { keepsProcess = true } = {}): Promise<TestS3> {
  const place = openTemporaryFolder()
  if (!keepsProcess) process.once('exit', place.close)
  const open = async (lenient: boolean) => {
    const options = { silent: true, directory: place.folder, allowMismatchedSignatures: lenient }
    const s3rver = new S3rver({ ...options, configureBuckets: [{ name: bucket }] })
    await s3rver.configureBuckets()
    return listen(createServer(s3rver.callback()))
  }
  const strict = await open(false)
  // s3rver leaves out the slash after the bucket when it computes the signature of a list.
  const lenient = await open(true)
  const turns = new Map<string, Promise<unknown>>()
  if (!keepsProcess) for (const server of [strict, lenient]) server.unref()

  const defaults = () => ({
    fault: (() => false) as Fault,
    onAnswer: (_: ServerResponse, body: Buffer): Buffer | undefined => body,
    ignoresIfMatch: false,
    damagesBodies: false,
    connections: 0,
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '' } = request
    test.calls.push(`${method} ${url}`)
    if (await test.fault({ method, path: url }, response)) return
    const body = await readAll(request)
    if (test.damagesBodies && body.length > 0) body.writeUInt8(body.readUInt8(0) ^ 1, 0)
    const md5 = request.headers['content-md5']
    if (md5 !== undefined && md5 !== hash(body)) return refuse(response, 400, 'BadDigest')
    const path = url.split('?')[0] ?? ''
    const turn = (turns.get(path) ?? Promise.resolve()).then(() => forward(request, body, path))
    turns.set(
      path,
      turn.catch(() => {}),
    )
    const [upstream, bytes] = await turn
    const { headers, statusCode = 502 } = upstream
    const ifMatch = request.headers['if-match']
    if (!test.ignoresIfMatch && statusCode < 300 && ifMatch !== undefined && ifMatch !== headers.etag) {
      return refuse(response, 412, 'PreconditionFailed')
    }
    if (headers['content-range']?.endsWith('/0')) return refuse(response, 416, 'InvalidRange')
    response.writeHead(statusCode, headers)
    const changed = test.onAnswer(response, bytes)
    if (changed !== undefined) response.end(changed)
  }

  function forward({ method, url, headers }: IncomingMessage, body: Buffer, path: string) {
    const port = portOf(/^\/[^/]+\/$/.test(path) ? lenient : strict)
    return new Promise<[IncomingMessage, Buffer]>((resolve, reject) => {
      const upstream = openRequest({ host: '127.0.0.1', port, method, path: url, headers }, (answered) => {
        // s3rver announces one byte of an empty object and never sends it.
        const isEmpty = answered.headers['content-range']?.endsWith('/0')
        if (isEmpty) answered.destroy()
        const bytes = isEmpty ? Promise.resolve(Buffer.alloc(0)) : readAll(answered)
        bytes.then((all) => resolve([answered, all]), reject)
      })
      upstream.on('error', reject).end(body)
    })
  }

  const proxy = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  proxy.on('connection', () => (test.connections += 1))
  await listen(proxy)
  if (!keepsProcess) proxy.unref()
  const endpoint = `http://127.0.0.1:${portOf(proxy)}`
  const test: TestS3 = {
    address: `s3://${bucket}?endpoint=${endpoint}`,
    endpoint,
    folder: place.folder,
    calls: [],
    ...defaults(),
    reset() {
      test.calls.length = 0
      Object.assign(test, defaults())
    },
    async close() {
      await Promise.all([proxy, strict, lenient].map(stop))
      place.close()
    },
  }
  return test
}

/** Answers as S3 does when it refuses a request. */
export function refuse(response: ServerResponse, status: number, code: string, rest = ''): void {
  response.writeHead(status, { 'content-type': 'application/xml; charset=utf-8', connection: 'close' })
  response.end(`<?xml version="1.0"?><Error><Code>${code}</Code>${rest}</Error>`)
}

async function readAll(stream: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of stream) pieces.push(piece)
  return Buffer.concat(pieces)
}

const hash = (body: Buffer) => createHash('md5').update(body).digest('base64')
const portOf = (server: Server) => (server.address() as AddressInfo).port

function listen(server: Server): Promise<Server> {
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)))
}

function stop(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}
