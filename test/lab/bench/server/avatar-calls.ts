import { once } from 'node:events'
import { request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Running } from './processes.js'

// biome-ignore lint/suspicious/noExplicitAny: the few members that are read are those of the contract.
export type Send = (method: string, path: string) => Promise<{ readonly status: number; readonly body: any }>

/** Sends calls with the key, each on a connection of its own; a POST sends the form of a create call. */
export function openCaller({ ready }: Running, key: string, fields: Record<string, string>, photo: Uint8Array): Send {
  const parts = Object.entries({ species: 'dog', ...fields }).map(
    ([name, value]) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const file = '--x\r\nContent-Disposition: form-data; name="source_image"; filename="a.jpg"\r\n\r\n'
  const form = Buffer.concat([Buffer.from(`${parts.join('')}${file}`), photo, Buffer.from('\r\n--x--\r\n')])
  return async (method, path) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'multipart/form-data; boundary=x' }
    const call = request({ host: '127.0.0.1', port: ready.port, method, path, agent: false, headers })
    call.end(method === 'POST' ? form : undefined)
    const [response] = await once(call, 'response')
    const chunks: Buffer[] = []
    for await (const chunk of response) chunks.push(chunk)
    return { status: response.statusCode, body: JSON.parse(Buffer.concat(chunks).toString()) }
  }
}

/** Polls a task until it has ended, and returns its status. */
export async function waitForEnd(send: Send, id: string, pollMs = 250): Promise<string> {
  for (;;) {
    const { body } = await send('GET', `/v1/pet-avatar/tasks/${id}`)
    if (!['pending', 'processing'].includes(body.status)) return body.status
    await delay(pollMs)
  }
}
