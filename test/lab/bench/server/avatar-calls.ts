import { once } from 'node:events'
import { request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { makeForm } from '../../power/workload.js'
import type { Running } from './processes.js'

// biome-ignore lint/suspicious/noExplicitAny: the few members that are read are those of the contract.
export type Send = (method: string, path: string) => Promise<{ readonly status: number; readonly body: any }>

/** Sends calls with the key, each on a connection of its own; a POST creates an avatar. */
export async function openCaller(
  { ready }: Running,
  key: string,
  poses: readonly string[],
  photo: Buffer,
): Promise<Send> {
  const form = await makeForm(poses, photo)
  return async (method, path) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'multipart/form-data; boundary=x' }
    const call = request({ host: '127.0.0.1', port: ready.port, method, path, agent: false, headers })
    call.end(method === 'POST' ? form : undefined)
    const [response] = await once(call, 'response')
    return { status: response.statusCode, body: JSON.parse(Buffer.concat(await response.toArray()).toString()) }
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
