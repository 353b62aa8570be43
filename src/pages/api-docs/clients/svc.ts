/** Calls svc with what Node.js has. The address is in SVC_URL, the key in SVC_API_KEY. */
import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

const base = process.env.SVC_URL ?? 'http://127.0.0.1:8787'

export interface Options {
  /** The body as JSON. */
  json?: unknown
  /** The body as a form; a file is a Blob, a list is a repeated field. */
  form?: Record<string, string | Blob | string[]>
  headers?: Record<string, string>
  key?: string | undefined
}

/** A response of 400 or more. `body.error` has `code`, `message` and `request_id`. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly body: { error: { code: string; message: string; request_id: string } },
  ) {
    super(`${status} ${body.error.code}: ${body.error.message} (${body.error.request_id})`)
  }
}

/** Sends a call, and returns the body of its response. Throws an ApiError. */
export async function call(method: string, path: string, options: Options = {}) {
  const { status, text } = await send(method, path, options)
  const body = text === '' ? undefined : JSON.parse(text)
  if (status >= 400) throw new ApiError(status, body)
  return body
}

/** Queries a task until it is finished: then `poll_after_seconds` is null or absent. */
export async function poll(path: string) {
  for (;;) {
    const task = await call('GET', path)
    if (task.poll_after_seconds == null) return task
    await sleep(task.poll_after_seconds * 1000)
  }
}

/** Sends a call. Repeats it up to 4 times if the connection breaks, or if the response is 429, 502 or 503. */
export async function send(method: string, path: string, options: Options = {}) {
  const { json, form, key = process.env.SVC_API_KEY } = options
  const headers = new Headers(options.headers)
  if (key) headers.set('authorization', `Bearer ${key}`)
  if (json !== undefined) headers.set('content-type', 'application/json')
  // The same key in every repetition: the task is created, and paid for, once.
  if (method === 'POST' && !headers.has('idempotency-key')) headers.set('idempotency-key', randomUUID())
  const body = form === undefined ? JSON.stringify(json) : toForm(form)
  for (let repetition = 0; ; repetition++) {
    let waitSeconds = 2 ** repetition
    const deadline = new AbortController()
    const timer = setTimeout(() => deadline.abort(), 60_000)
    try {
      const response = await fetch(base + path, { method, headers, body, signal: deadline.signal })
      const text = await response.text()
      waitSeconds = Number(response.headers.get('retry-after') ?? waitSeconds)
      // A spent budget is refilled after hours: the caller decides.
      const isRepeated = [429, 502, 503].includes(response.status) && repetition < 4 && waitSeconds <= 60
      if (!isRepeated) return { status: response.status, headers: response.headers, text }
    } catch (error) {
      if (repetition === 4) throw error
    } finally {
      clearTimeout(timer)
    }
    await sleep(waitSeconds * 1000)
  }
}

/** Stores a file, such as that of a `generated_url`. */
export async function download(url: string, file: string) {
  const response = await fetch(new URL(url, base))
  if (!response.ok) throw new Error(`${response.status} for ${url}`)
  await writeFile(file, Buffer.from(await response.arrayBuffer()))
}

function toForm(fields: NonNullable<Options['form']>): FormData {
  const form = new FormData()
  for (const [name, field] of Object.entries(fields)) {
    for (const value of Array.isArray(field) ? field : [field]) form.append(name, value)
  }
  return form
}
