import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import sharp from 'sharp'
import { buildMp4 } from './mp4.js'

/** A request as received. */
export interface ReceivedRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  // biome-ignore lint/suspicious/noExplicitAny: tests inspect any body.
  readonly json: any
}

export interface Reply {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly bytes?: Buffer
}

/** The purpose of a request: look up a model, buy, poll an order, or download the result. */
export type Step = 'find' | 'buy' | 'poll' | 'download'

/**
 * The failure of one request: another response, a connection closed before the request is read or (`lost`) after it
 * was served, or no response.
 */
export type UpstreamFailure = Reply | 'reset' | 'lost' | 'stall'

/** A model service as in its vendor's documentation. */
export interface Double {
  /** The path at the end of the vendor's base URL. */
  readonly basePath: string
  isAllowed(received: ReceivedRequest, key: string): boolean
  stepOf(received: ReceivedRequest): Step | undefined
  /** Serves a request; a `buy` that succeeds is charged. */
  serve(step: Step, received: ReceivedRequest, world: World): Reply | Promise<Reply>
  /** An error in the vendor's format. */
  error(status: number, code: string, message: string): Reply
}

export interface World {
  readonly url: string
  readonly picture: Buffer
  readonly clip: Buffer
  /** Number of polls by order. */
  readonly polls: Map<string, number>
  /** Number of polls that find an order unfinished. */
  pollsNeeded: number
  /** Origin of the results. */
  filesUrl: string
}

export type Upstream = Awaited<ReturnType<typeof startUpstream>>

export const upstreamKey = 'test-key-0123456789abcdef'

/** Starts a model service on loopback that behaves like `double`, and delivers `clip` for clips. */
export async function startUpstream(double: Double, { clip = buildMp4(8) } = {}) {
  const faults = new Map<Step, UpstreamFailure[]>()
  const holds = new Map<Step, ((held: { release(): void }) => void)[]>()
  const received: (ReceivedRequest & { readonly step: Step | undefined })[] = []
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const world: World = { url, picture: await getPicture(), clip, polls: new Map(), pollsNeeded: 1, filesUrl: url }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const found = await read(request)
    const step = double.stepOf(found)
    received.push({ ...found, step })
    if (step !== undefined) {
      const arrived = holds.get(step)?.shift()
      if (arrived !== undefined) await new Promise<void>((release) => arrived({ release }))
    }
    const fault = step && faults.get(step)?.shift()
    if (fault === 'reset') return void request.socket.resetAndDestroy()
    if (fault === 'stall') return
    const isAllowed = step === 'download' || double.isAllowed(found, upstreamKey)
    const right = !isAllowed
      ? double.error(401, 'unauthorized', `No access with ${JSON.stringify(found.headers.authorization)}.`)
      : step === undefined
        ? double.error(404, 'not_found', `${found.method} ${found.path} is not here.`)
        : typeof fault === 'object'
          ? fault
          : await double.serve(step, found, world)
    if (fault === 'lost') return void request.socket.resetAndDestroy()
    send(response, right)
  }

  return Object.assign(world, {
    /** The `baseUrl` of an operator's file. */
    baseUrl: `${url}${double.basePath}`,
    key: upstreamKey,
    received,
    error: double.error,
    /** Number of requests of a step. */
    count: (step: Step) => received.filter((one) => one.step === step).length,
    /** Lets the next requests of a step fail, one per failure. */
    plan: (step: Step, ...more: UpstreamFailure[]) => void faults.set(step, [...(faults.get(step) ?? []), ...more]),
    /** Resolves when the next request of a step arrives; it is answered when `release` is called. */
    hold: (step: Step) =>
      new Promise<{ release(): void }>((arrived) => {
        holds.set(step, [...(holds.get(step) ?? []), arrived])
      }),
    async close(): Promise<void> {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  })
}

async function read(request: IncomingMessage): Promise<ReceivedRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const body = Buffer.concat(chunks)
  const url = new URL(request.url ?? '/', 'http://upstream.test')
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
  const isJson = body.length > 0 && (headers['content-type']?.includes('json') ?? false)
  return {
    method: request.method ?? '',
    path: decodeURIComponent(url.pathname),
    query: url.searchParams,
    headers,
    body,
    json: isJson ? JSON.parse(body.toString()) : undefined,
  }
}

function send(response: ServerResponse, { status = 200, headers = {}, json, bytes }: Reply): void {
  const type = bytes === undefined ? 'application/json' : 'application/octet-stream'
  response.writeHead(status, { 'content-type': type, ...headers })
  response.end(bytes ?? JSON.stringify(json))
}

/** All services answer with one picture. */
let picture: Promise<Buffer> | undefined

function getPicture(): Promise<Buffer> {
  picture ??= drawPicture()
  return picture
}

/** Not of one color, because a blank picture is rejected. */
function drawPicture(): Promise<Buffer> {
  const pet = { create: { width: 256, height: 384, channels: 3, background: '#a07850' } } as const
  return sharp({ create: { width: 768, height: 768, channels: 3, background: '#d8e0d0' } })
    .composite([{ input: pet, gravity: 'south' }])
    .png()
    .toBuffer()
}
