import { setTimeout as delay } from 'node:timers/promises'
import { insightFixtures } from '../helpers/fixtures.js'
import { type Json, makePhoto } from '../helpers/media.js'
import type { Answered, LoggedProgram } from './program.js'

/** A fact that the program has acknowledged: a query that must return a row. */
export interface Promised {
  readonly what: string
  readonly sql: string
  readonly parameters: readonly unknown[]
  /** The size of the log, and the time, when the answer arrived. */
  readonly at: number
  readonly timeMs: number
  /** True if the contract permits the loss of the last 100 ms. */
  readonly isLate: boolean
  /** The size of the log when the caller asked to end the fact. */
  endsAt?: number
}

/** Makes calls of all kinds that store something, and records the answers. */
export class Workload {
  readonly promised: Promised[] = []
  readonly #program: LoggedProgram
  #avatarId = ''
  #imageKeys: string[] = []
  #count = 0
  #feedback: Promise<void> = Promise.resolve()

  constructor(program: LoggedProgram) {
    this.#program = program
  }

  /** Makes the avatar that the other calls need. */
  async prepare(): Promise<void> {
    const avatar = await this.#makeAvatar(['sitting', 'lying'])
    this.#avatarId = avatar.task_id
    this.#imageKeys = Object.values<Json>(avatar.images).map((image) => image.generated_cos_key)
  }

  /** Makes each call in turn, with pauses. */
  async runQuiet(rounds: number): Promise<void> {
    for (let round = 0; round < rounds; round++) {
      for (const call of this.#calls) {
        await call()
        await delay(20 * (round % 3))
      }
    }
  }

  /** Makes calls on 32 connections, until each kind of task was made `rounds` times. */
  async runBusy(rounds: number): Promise<void> {
    let isDone = false
    const repeat = async (call: () => Promise<void>) => {
      for (let round = 0; round < rounds; round++) await call()
    }
    const repeatUntilDone = async (call: () => Promise<void>) => {
      while (!isDone) await call()
    }
    const [avatar, animation, key, ...others] = this.#calls
    const quick = Array.from({ length: 25 }, (_, index) => others[index % others.length] ?? avatar)
    const tasks = [avatar, avatar, avatar, animation, animation, animation, key].map(repeat)
    const running = quick.map(repeatUntilDone)
    await Promise.all(tasks).finally(() => {
      isDone = true
    })
    await Promise.all(running)
  }

  /** Restores a snapshot of the present state. All facts hold until then and after it, except a key that is newer. */
  async restore(snapshot: string): Promise<void> {
    await this.#program.run('data', 'snapshot', snapshot)
    const { id } = await this.#program.run('key', 'create', '--name', 'newer')
    const newer = this.#promise('key', 'select 1 from api_keys where id = ?', [id])
    newer.endsAt = this.#program.measureLog()
    await this.#program.run('data', 'restore', snapshot, '--force')
    this.#promise('restore', 'select 1 where not exists (select 1 from api_keys where id = ?)', [id])
  }

  readonly #calls = [
    async () => void (await this.#makeAvatar(['walking'])),
    () => this.#makeAndDeleteAnimation(),
    () => this.#createAndRevokeKey(),
    () => this.#saveFeedback(),
    () => this.#generateInsight(),
    () => this.#selectDiaryPicture(),
    () => this.#generateHomeCards(),
    () => this.#generateInsight(),
  ] as const

  #promise(what: string, sql: string, parameters: readonly unknown[], isLate = false): Promised {
    const promised = { what, sql, parameters, isLate, at: this.#program.measureLog(), timeMs: Date.now() }
    this.promised.push(promised)
    return promised
  }

  /** Promises the line of a call in the request log. */
  #promiseLine({ requestId }: Answered): void {
    this.#promise('log line', 'select 1 from log_lines where request_id = ?', [requestId], true)
  }

  #promiseUsage(answered: Answered, isLate = false): void {
    this.#promise('usage', 'select 1 from usage_entries where request_id = ?', [answered.requestId], isLate)
    this.#promiseLine(answered)
  }

  async #makeAvatar(poses: readonly string[]): Promise<Json> {
    const key = `key-${++this.#count}`
    const answered = await this.#program.send('POST', '/v1/pet-avatar/generate', await makeForm(poses), {
      'content-type': 'multipart/form-data; boundary=x',
      'idempotency-key': key,
    })
    const { task_id: id } = answered.body
    this.#promise('task', 'select 1 from tasks where id = ?', [id])
    const sql = `select 1 from idempotency_keys where "key" like '%' || ? and body like '%' || ? || '%'`
    this.#promise('idempotency key', sql, [key, id])
    this.#promiseUsage(answered)
    const task = await this.#waitForEnd(`/v1/pet-avatar/tasks/${id}`)
    this.#promiseSuccess(id)
    return task
  }

  #promiseSuccess(id: string): Promised[] {
    const booked = 'select 1 from usage_ledger where task_id = ? and delivered > 0'
    const success = this.#promise('success', "select 1 from tasks where id = ? and status = 'success'", [id])
    this.#promise('booking', booked, [id])
    return [success]
  }

  async #makeAndDeleteAnimation(): Promise<void> {
    const body = { avatar_task_id: this.#avatarId, pose: 'sitting' }
    const answered = await this.#program.send('POST', '/v1/pet-animation/generate', body)
    const { task_id: id } = answered.body
    const created = this.#promise('task', 'select 1 from tasks where id = ?', [id])
    this.#promiseUsage(answered)
    await this.#waitForEnd(`/v1/pet-animation/tasks/${id}`)
    const ended = this.#promiseSuccess(id)
    if (++this.#count % 4 === 0) return
    for (const promised of [created, ...ended]) promised.endsAt = this.#program.measureLog()
    await this.#program.send('DELETE', `/v1/pet-animation/tasks/${id}`)
    this.#promise('deletion', 'select 1 where not exists (select 1 from tasks where id = ?)', [id])
  }

  async #createAndRevokeKey(): Promise<void> {
    const { id } = await this.#program.run('key', 'create', '--name', `key-${++this.#count}`)
    this.#promise('key', 'select 1 from api_keys where id = ?', [id])
    await this.#program.run('key', 'revoke', id)
    this.#promise('revocation', 'select 1 from api_keys where id = ? and revoked_at is not null', [id])
  }

  /** In turn: of two calls at once, either may be the last. */
  #saveFeedback(): Promise<void> {
    this.#feedback = this.#feedback.then(async () => {
      const cos_key = this.#imageKeys[++this.#count % this.#imageKeys.length]
      const feedbacks = [{ cos_key, liked: this.#count % 4 < 2 }]
      const answered = await this.#program.send('POST', '/v1/pet-avatars/feedback', { feedbacks })
      const sql = 'select 1 from feedback where object_key = ? and updated_at >= ?'
      this.#promise('feedback', sql, [cos_key, answered.sentAtMs])
      this.#promiseLine(answered)
    })
    return this.#feedback
  }

  async #generateInsight(): Promise<void> {
    const { payload } = insightFixtures[++this.#count % insightFixtures.length] ?? {}
    const answered = await this.#program.send('POST', '/v1/health-detail-insights/generate', payload)
    const sql = 'select 1 from insight_archive where insight_id = ?'
    this.#promise('insight', sql, [answered.body.insightId], true)
    this.#promiseUsage(answered, true)
  }

  async #selectDiaryPicture(): Promise<void> {
    const answered = await this.#program.send('POST', '/v1/pet-diary-image-libraries/select', {
      ...{ user_id: 'u1', pet_id: `p${++this.#count}`, date: '2026-10-20' },
      facts: { species: 'dog', weather: 'rain', location: 'home', activity: 'watch' },
    })
    this.#promise('selection', 'select 1 from selections where id = ?', [answered.body.selection_id])
    this.#promiseUsage(answered)
  }

  async #generateHomeCards(): Promise<void> {
    const answered = await this.#program.send('POST', '/v1/home-insights/generate', {
      ...{ user_id: 'u1', pet_id: `p${++this.#count}`, pet_name: 'Mochi', species: 'dog', date: '2026-06-16' },
      facts: { activity_minutes: 75, activity_goal_minutes: 60, birthday: '2023-06-16' },
    })
    for (const { insight_id } of answered.body.insights) {
      this.#promise('home card', 'select 1 from home_insights where id = ?', [insight_id])
    }
    this.#promiseUsage(answered)
  }

  async #waitForEnd(path: string): Promise<Json> {
    for (;;) {
      const { body } = await this.#program.send('GET', path)
      if (body.status === 'success') return body
      if (!['pending', 'processing'].includes(body.status)) throw new Error(JSON.stringify(body))
      await delay(20)
    }
  }
}

async function makeForm(poses: readonly string[]): Promise<Buffer> {
  const field = (name: string, value: string) =>
    `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  const head = `${field('species', 'dog')}${poses.map((pose) => field('poses', pose)).join('')}`
  const file = '--x\r\nContent-Disposition: form-data; name="source_image"; filename="a.jpg"\r\n\r\n'
  return Buffer.concat([Buffer.from(head + file), await makePhoto(), Buffer.from('\r\n--x--\r\n')])
}
