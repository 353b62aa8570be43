import { setTimeout as delay } from 'node:timers/promises'
import { insightFixtures } from '../../helpers/fixtures.js'
import { type Json, makePhoto } from '../../helpers/media.js'

export interface Answered {
  readonly status: number
  readonly body: Json
  readonly requestId: string
  readonly sentAtMs: number
}

/** The program as the workload uses it. */
export interface Program {
  /** Runs a command to its end and returns its JSON. */
  run(...args: string[]): Promise<Json>
  /** Sends a call. Rejects if it is refused. */
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answered>
  /** Returns the present moment, as a number that rises: the size of a log, or a time. */
  readMoment(): number
  /** By how much the times of rows may be earlier than the callers' clock says. */
  readonly clockErrorMs?: number
}

/** A fact that the program has acknowledged: a query that must return a row. */
export interface Promised {
  readonly what: string
  readonly sql: string
  readonly parameters: readonly unknown[]
  /** The moment, and the time, when the answer arrived. */
  readonly at: number
  readonly timeMs: number
  /** True if the contract permits the loss of the last 100 ms. */
  readonly isLate: boolean
  /** The moment when the caller asked to end the fact. */
  endsAt?: number
  /** The object keys whose files are removed. */
  removedKeys?: readonly string[]
}

/** A task that succeeded: its path, its last answer, and the facts that its deletion ends. */
export interface MadeTask {
  readonly url: string
  readonly task: Json
  readonly promised: readonly Promised[]
}

/** A task that was accepted, and that its provider could not finish. */
export class FailedTask extends Error {}

/** Makes calls of all kinds that store something, and records the answers. */
export class Workload {
  readonly promised: Promised[] = []
  readonly #program: Program
  readonly #feedbackByKey = new Map<string, Promised>()
  /** The images of the avatar that `prepare` makes. */
  imageKeys: string[] = []
  #avatarId = ''
  #count = 0
  #feedback: Promise<void> = Promise.resolve()

  constructor(program: Program) {
    this.#program = program
  }

  /** Makes the avatar that the other calls need. */
  async prepare(): Promise<void> {
    const avatar = await this.#makeAvatar(['sitting', 'lying'])
    this.#avatarId = avatar.task_id
    this.imageKeys = Object.values<Json>(avatar.images).map((image) => image.generated_cos_key)
  }

  /** Makes each call in turn, with pauses. */
  async runQuiet(rounds: number): Promise<void> {
    for (let round = 0; round < rounds; round++) {
      for (const call of Object.values(this.calls)) {
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
    const { avatar, animation, key, ...others } = this.calls
    const quickCalls = Object.values(others)
    const quick = Array.from({ length: 25 }, (_, index) => quickCalls[index % quickCalls.length] ?? avatar)
    const tasks = [avatar, avatar, avatar, animation, animation, animation, key].map(repeat)
    const running = quick.map(repeatUntilDone)
    await Promise.all(tasks).finally(() => {
      isDone = true
    })
    await Promise.all(running)
  }

  /** Empties the folder and restores a snapshot of the present state. The facts hold until then and after it. */
  async restore(snapshot: string): Promise<void> {
    await this.#program.run('data', 'snapshot', snapshot)
    const held = this.promised.filter(({ endsAt }) => endsAt === undefined)
    for (const fact of held) fact.endsAt = this.#program.readMoment()
    await this.#program.run('data', 'reset', '--yes')
    await this.#program.run('data', 'restore', snapshot)
    for (const { what, sql, parameters } of held) if (what !== 'log line') this.#promise(what, sql, parameters)
  }

  /** The kinds of calls. Each checks its answer and promises what the answer says. */
  readonly calls = {
    avatar: async () => void (await this.#makeAvatar(['walking'])),
    animation: () => this.#makeAndDeleteAnimation(),
    key: () => this.#createAndRevokeKey(),
    feedback: () => this.#saveFeedback(),
    insight: () => this.#generateInsight(),
    selection: () => this.#selectDiaryPicture(),
    homeCards: () => this.#generateHomeCards(),
  }

  /** Creates a task at a path of the contract, with an `Idempotency-Key` if `isKeyed`. Resolves when it has succeeded. */
  async makeTask(
    path: string,
    body: unknown,
    isKeyed: boolean,
    headers: Record<string, string> = {},
  ): Promise<MadeTask> {
    const key = `key-${++this.#count}`
    const all = isKeyed ? { ...headers, 'idempotency-key': key } : headers
    const answered = await this.#program.send('POST', `${path}/generate`, body, all)
    const { task_id: id } = answered.body
    const created = this.#promise('task', 'select 1 from tasks where id = ?', [id])
    const sql = `select 1 from idempotency_keys where "key" like '%' || ? and body like '%' || ? || '%'`
    if (isKeyed) this.#promise('idempotency key', sql, [key, id])
    this.#promiseUsage(answered)
    const url = `${path}/tasks/${id}`
    const task = await this.#waitForEnd(url)
    const ended = this.#promise('success', "select 1 from tasks where id = ? and status = 'success'", [id])
    this.#promise('booking', 'select 1 from usage_ledger where task_id = ? and delivered > 0', [id])
    return { url, task, promised: [created, ended] }
  }

  #promise(what: string, sql: string, parameters: readonly unknown[], isLate = false): Promised {
    const promised = { what, sql, parameters, isLate, at: this.#program.readMoment(), timeMs: Date.now() }
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
    const headers = { 'content-type': 'multipart/form-data; boundary=x' }
    const { task } = await this.makeTask('/v1/pet-avatar', await makeForm(poses), true, headers)
    return task
  }

  async #makeAndDeleteAnimation(): Promise<void> {
    const body = { avatar_task_id: this.#avatarId, pose: 'sitting' }
    const { url, task, promised } = await this.makeTask('/v1/pet-animation', body, false)
    if (++this.#count % 4 === 0) return
    for (const one of promised) one.endsAt = this.#program.readMoment()
    await this.#program.send('DELETE', url)
    const sql = 'select 1 where not exists (select 1 from tasks where id = ?)'
    const deletion = this.#promise('deletion', sql, [task.task_id])
    deletion.removedKeys = Object.values<Json>(task.images).flatMap((clip) => [clip.webp_cos_key, clip.mp4_cos_key])
  }

  async #createAndRevokeKey(): Promise<void> {
    const { id } = await this.#program.run('key', 'create', '--name', `key-${++this.#count}`)
    this.#promise('key', 'select 1 from api_keys where id = ?', [id])
    await this.#program.run('key', 'revoke', id)
    this.#promise('revocation', 'select 1 from api_keys where id = ? and revoked_at is not null', [id])
  }

  /** In turn: of two calls at once, either may be the last. */
  #saveFeedback(): Promise<void> {
    const saved = this.#feedback.then(async () => {
      const cos_key = this.imageKeys[++this.#count % this.imageKeys.length] ?? ''
      const liked = this.#count % 4 < 2
      const earlier = this.#feedbackByKey.get(cos_key)
      if (earlier !== undefined) earlier.endsAt = this.#program.readMoment()
      const answered = await this.#program.send('POST', '/v1/pet-avatars/feedback', { feedbacks: [{ cos_key, liked }] })
      const sql = 'select 1 from feedback where object_key = ? and liked = ? and updated_at >= ?'
      const parameters = [cos_key, Number(liked), answered.sentAtMs - (this.#program.clockErrorMs ?? 0)]
      this.#feedbackByKey.set(cos_key, this.#promise('feedback', sql, parameters))
      this.#promiseLine(answered)
    })
    // The next call is made even if the answer to this one is lost.
    this.#feedback = saved.catch(() => {})
    return saved
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
      if (!['pending', 'processing'].includes(body.status)) throw new FailedTask(JSON.stringify(body))
      await delay(20)
    }
  }
}

/** The body of a create call, with the boundary `x`. */
export async function makeForm(poses: readonly string[], photo?: Buffer): Promise<Buffer> {
  const field = (name: string, value: string) =>
    `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  const head = `${field('species', 'dog')}${poses.map((pose) => field('poses', pose)).join('')}`
  const file = '--x\r\nContent-Disposition: form-data; name="source_image"; filename="a.jpg"\r\n\r\n'
  return Buffer.concat([Buffer.from(head + file), photo ?? (await makePhoto()), Buffer.from('\r\n--x--\r\n')])
}
