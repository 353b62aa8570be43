import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import sharp from 'sharp'
import type { KeySettings } from '../../src/contract/access.js'
import { startApp } from './app.js'

// biome-ignore lint/suspicious/noExplicitAny: answers are read member by member and compared as a whole.
export type Json = any

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: Json
}

/** The app with its worker, and the calls that tests of pictures and clips make. */
export type MediaApp = Awaited<ReturnType<typeof startMediaApp>>

/** Starts the app with `variables` as its environment, on the clock of the service. */
export async function startMediaApp(variables: Record<string, string> = {}, dataDir?: string) {
  const app = await startApp({ variables, dataDir, time: 'service', drainMs: 200 })
  const { app: service, key } = app

  /** Sends a call with the key `local`, or with the `authorization` of the headers; a plain object is sent as JSON. */
  async function send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const isJson = body !== undefined && !(body instanceof FormData) && !(body instanceof Uint8Array)
    const response = await service.fetch(
      new Request(path.startsWith('http') ? path : `http://svc.test${path}`, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          ...(isJson ? { 'content-type': 'application/json' } : {}),
          ...headers,
        },
        ...(body === undefined ? {} : { body: (isJson ? JSON.stringify(body) : body) as RequestInit['body'] }),
      }),
    )
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
  }

  /** Creates an avatar task from a photo and returns its ID. */
  async function createAvatar(fields: Record<string, unknown> = {}): Promise<string> {
    const { status, body } = await send('POST', '/v1/pet-avatar/generate', await makeForm(fields))
    if (status !== 200) throw new Error(JSON.stringify(body))
    return body.task_id
  }

  /** Creates an avatar task and returns it when it has ended. */
  async function makeAvatar(fields?: Record<string, unknown>): Promise<Json> {
    const id = await createAvatar(fields)
    await service.idle()
    return (await send('GET', `/v1/pet-avatar/tasks/${id}`)).body
  }

  /** Creates an animation task and returns it when it has ended. */
  async function makeAnimation(avatarTaskId: string, pose = 'all'): Promise<Json> {
    const { body } = await send('POST', '/v1/pet-animation/generate', { avatar_task_id: avatarTaskId, pose })
    await service.idle()
    return (await send('GET', `/v1/pet-animation/tasks/${body.task_id}`)).body
  }

  /** Creates a diary task, or a library, and returns it when it has ended. */
  async function makeDiary(fields: Record<string, unknown>): Promise<Json> {
    const { status, body } = await send('POST', '/v1/pet-diary-images/generate', fields)
    if (status !== 200) throw new Error(JSON.stringify(body))
    await service.idle()
    // A task from an asset belongs to the asset's user.
    const asset = fields.identity_asset_id && (await send('GET', `/v1/pet-avatars/${fields.identity_asset_id}`)).body
    const { user_id = '' } = asset || fields
    return (await send('GET', `/v1/pet-diary-images/tasks/${body.task_id}?user_id=${user_id}`)).body
  }

  return {
    ...app,
    send,
    makeDiary,
    createAvatar,
    makeAvatar,
    makeAnimation,
    /** Resolves when no task is pending or processing. */
    idle: () => service.idle(),
    /** Moves the clock, as `svc clock` does. */
    async moveClock(change: { advance_seconds: number } | { time: string } | { reset: true }): Promise<void> {
      const { status, body } = await send('POST', '/_svc/clock', change)
      if (status !== 200) throw new Error(JSON.stringify(body))
    },
    /** Fetches a stored file, without a key. */
    async open(url: string) {
      const { status, headers, body } = await service.fetch(new Request(url))
      // An unread file stays open.
      await body?.cancel()
      return { status, type: headers.get('content-type') }
    },
    async createKey(settings?: Partial<KeySettings>) {
      // Two connections of one thread would block each other.
      await service.idle()
      return app.createKey(settings)
    },
  }
}

/** Starts a site on loopback with a photo at `/pet.jpg` and a page at `/page`. */
export async function startPhotoSite() {
  const site = createServer(async (request, response) => {
    if (request.url === '/pet.jpg') response.setHeader('content-type', 'image/jpeg').end(await makePhoto())
    else if (request.url === '/page') response.setHeader('content-type', 'text/html').end('<p>no photo</p>')
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  return { origin, photoUrl: `${origin}/pet.jpg`, close: () => site.close() }
}

let photo: Promise<Buffer> | undefined

/** Draws a JPEG that passes every check: roughly, a brown animal on a meadow. */
export function makePhoto(width = 400, height = 300): Promise<Buffer> {
  if (width !== 400 || height !== 300) return drawPhoto(width, height)
  photo ??= drawPhoto(width, height)
  return photo
}

function drawPhoto(width: number, height: number): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 4 3" preserveAspectRatio="none"><rect width="4" height="3" fill="#7fae62"/><ellipse cx="2" cy="1.6" rx="1.1" ry=".8" fill="#8a5a33"/></svg>`
  return sharp(Buffer.from(svg)).jpeg().toBuffer()
}

/** Makes a complete form of an avatar call; see `toForm` for its fields. */
export const makeForm = async (fields: Fields = {}): Promise<FormData> =>
  toForm({ source_image: await makePhoto(), species: 'dog', user_id: 'u1', pet_id: 'p1', ...fields })

type Fields = Readonly<Record<string, unknown>>

/** Makes a form; `undefined` omits a field, an array repeats it, a buffer is a file. */
export function toForm(fields: Fields): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (Buffer.isBuffer(item)) form.append(name, new Blob([new Uint8Array(item)]), 'pet.jpg')
      else if (item instanceof File) form.append(name, item)
      else if (item !== undefined) form.append(name, String(item))
    }
  }
  return form
}

/** Returns a user ID that no other test of the same app uses. */
export const newUser = () => `user-${randomUUID()}`
