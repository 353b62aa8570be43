import { once } from 'node:events'
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Json, makePhoto } from '../helpers/media.js'
import { reportSkip } from '../helpers/skip.js'
import { startSvc } from '../helpers/svc.js'
import { openTemporaryFolder } from '../helpers/temporary.js'
import { runDoctor } from '../lab/power/examine.js'
import { makeForm } from '../lab/power/workload.js'

const limits = suite('svc serve under the limits of the system')

interface Limited {
  readonly port: number
  createAvatar(photo: Buffer): Promise<Answer>
  /** Checks that each created task succeeds. */
  waitForTasks(): Promise<void>
  send(method: string, path: string, body?: Buffer): Promise<Answer>
  /** Checks that each created task succeeds, that SIGTERM ends the server, and that the doctor finds nothing. */
  finish(): Promise<void>
}

interface Answer {
  readonly status: number | undefined
  readonly retryAfter: string | undefined
  readonly body: Json
}

/** Starts a server after the shell command `limit`. Its calls share one connection if it has `oneConnection`. */
async function startLimited(limit: string, oneConnection = false): Promise<Limited> {
  const place = openTemporaryFolder()
  const svc = startSvc(['serve', '--port', '0', '--json', '--data-dir', place.folder], {}, { limit })
  const { port, key } = JSON.parse(await svc.nextLine())
  const agent = new Agent({ keepAlive: true, ...(oneConnection ? { maxSockets: 1 } : {}) })
  const created: string[] = []
  const send: Limited['send'] = async (method, path, body) => {
    const headers = { authorization: `Bearer ${key.key}`, 'content-type': 'multipart/form-data; boundary=x' }
    const sending = request({ host: '127.0.0.1', port, method, path, agent, headers })
    sending.end(body)
    const [response] = await once(sending, 'response')
    const text = Buffer.concat(await response.toArray()).toString()
    return { status: response.statusCode, retryAfter: response.headers['retry-after'], body: JSON.parse(text) }
  }
  const waitForEnd = async (id: string) => {
    for (;;) {
      const { body } = await send('GET', `/v1/pet-avatar/tasks/${id}`)
      if (!['pending', 'processing'].includes(body.status)) return body.status
      await delay(100)
    }
  }
  const waitForTasks = async () => {
    for (const id of created) assert.is(await waitForEnd(id), 'success', id)
  }
  return {
    port,
    send,
    waitForTasks,
    async createAvatar(photo) {
      const answer = await send('POST', '/v1/pet-avatar/generate', await makeForm(['sitting'], photo))
      if (answer.status === 200) created.push(answer.body.task_id)
      return answer
    },
    async finish() {
      await waitForTasks()
      agent.destroy()
      svc.child.kill('SIGTERM')
      assert.is((await svc.ended).code, 0, svc.errors())
      assert.equal(await runDoctor(place.folder), [])
      place.close()
    },
  }
}

/** Opens connections until the server has no descriptor for another one. */
async function openConnections(port: number): Promise<Socket[]> {
  const open: Socket[] = []
  for (;;) {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    socket.write('GET /live HTTP/1.1\r\nHost: localhost\r\n\r\n')
    const isAnswered = await new Promise<boolean>((resolve) => {
      socket.once('data', () => resolve(true)).once('close', () => resolve(false))
    })
    if (!isAnswered) return open
    open.push(socket)
  }
}

limits('refuses what needs a file while no file can be opened, loses nothing, and recovers', async () => {
  const server = await startLimited('ulimit -n 64', true)
  const photo = await makePhoto()
  assert.is((await server.createAvatar(photo)).status, 200)
  // The work of a task opens and closes files: it would free descriptors again.
  await server.waitForTasks()
  const open = await openConnections(server.port)
  assert.ok(open.length > 0)
  const refused = await server.createAvatar(photo)
  assert.equal([refused.status, refused.retryAfter, refused.body.error.code], [503, '5', 'unavailable'])
  assert.is((await server.send('GET', '/health')).status, 200)
  for (const socket of open) socket.destroy()
  for (let tries = 1; (await server.createAvatar(photo)).status !== 200; tries++) assert.ok(tries < 100)
  await server.finish()
})

/** Limits the memory of a program with its children, where the system lets this process do it. */
function openMemoryGroup(bytes: number): { readonly enter: string; close(): void } | undefined {
  for (const [groups, file] of [
    ['/sys/fs/cgroup/memory', 'memory.limit_in_bytes'],
    ['/sys/fs/cgroup', 'memory.max'],
  ] as const) {
    const group = join(groups, `svc-test-${process.pid}`)
    try {
      mkdirSync(group)
    } catch {
      continue
    }
    const close = () => rmdirSync(group)
    try {
      // The folder of a missing control group is empty.
      if (!existsSync(join(group, file))) throw new Error(`${group} does not limit memory`)
      writeFileSync(join(group, file), String(bytes))
      return { enter: `echo $$ > ${group}/cgroup.procs`, close }
    } catch {
      close()
    }
  }
  return undefined
}

limits('makes avatars of four large photos at once in 512 MB', async () => {
  const group = openMemoryGroup(512 << 20)
  if (group === undefined) return reportSkip('this process may not limit the memory of another')
  const server = await startLimited(group.enter)
  const photo = await makePhoto(4000, 3000)
  const answers = await Promise.all(Array.from({ length: 4 }, () => server.createAvatar(photo)))
  for (const { status, retryAfter } of answers) assert.ok(status === 200 || retryAfter === '5', `${status}`)
  assert.is((await server.createAvatar(photo)).status, 200)
  await server.finish()
  group.close()
})

limits.run()
