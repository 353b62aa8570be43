/**
 * A small main server, as those who call svc write one: it has pictures of pets made, keeps them for its app, and turns the
 * records of a pet into a paragraph. It uses nothing but Node and the HTTP contract.
 *
 *   node main-server.mjs serve FOLDER        prints its address; FOLDER keeps what it must not forget
 *   node main-server.mjs payload < RECORDS   prints the payload that it would send
 */
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { buffer as readBytes, text as readText } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'

const { SVC_URL, SVC_API_KEY, AVERAGE } = process.env
const timeoutMs = 10_000
const attemptsAtMost = 6
/** Statuses that a later attempt may not get; 409 while an attempt with the same key is at work. Others need another request. */
const passing = [409, 429, 500, 502, 503, 504]

/** An answer of svc that no retry changes. */
class Refusal extends Error {
  constructor(status, { code, message, request_id: requestId }) {
    super(`${message} (${status} ${code}, request ID ${requestId})`)
    this.code = code
  }
}

/**
 * Calls svc, and repeats the call while its answer is lost, broken or of a passing status. `key` is the same for all
 * attempts, so that svc does the work once. Waits as long as `Retry-After` says.
 */
async function call(method, path, { body, key } = {}) {
  for (let attempt = 1; ; attempt++) {
    let waitMs = 250 * 2 ** attempt
    const controller = new AbortController()
    const timer = setTimeout(() => controller.abort(new Error(`no answer in ${timeoutMs} ms`)), timeoutMs)
    try {
      const response = await fetch(SVC_URL + path, {
        method,
        body,
        headers: headersOf(body, key),
        signal: controller.signal,
      })
      // Throws if the answer was cut off or is not JSON.
      const answer = await response.json()
      if (response.ok) return answer
      const refusal = new Refusal(response.status, answer.error)
      if (!passing.includes(response.status) || attempt === attemptsAtMost) throw refusal
      waitMs = Number(response.headers.get('retry-after')) * 1000 || waitMs
    } catch (error) {
      if (error instanceof Refusal || attempt === attemptsAtMost) throw error
    } finally {
      clearTimeout(timer)
    }
    await sleep(waitMs)
  }
}

function headersOf(body, key) {
  return {
    authorization: `Bearer ${SVC_API_KEY}`,
    ...(typeof body === 'string' && { 'content-type': 'application/json' }),
    ...(key && { 'idempotency-key': key }),
  }
}

/** The jobs by pet, in a file: after a crash the next process goes on with them. */
function openJobs(folder) {
  const file = join(folder, 'jobs.json')
  const jobs = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  return {
    all: jobs,
    change(pet, change) {
      jobs[pet] = { ...jobs[pet], ...change }
      writeFileSync(`${file}.part`, JSON.stringify(jobs))
      renameSync(`${file}.part`, file)
    },
  }
}

/** Orders the pictures of a pet, unless an earlier process has done so, and waits for them. */
async function makePictures(jobs, folder, pet) {
  const { species, key } = jobs.all[pet]
  try {
    if (jobs.all[pet].taskId === undefined) {
      const form = new FormData()
      for (const [name, value] of Object.entries({ species, user_id: 'app', pet_id: pet })) form.set(name, value)
      form.set('source_image', new Blob([readFileSync(join(folder, `${pet}.jpg`))]), 'photo.jpg')
      const created = await call('POST', '/v1/pet-avatar/generate', { body: form, key })
      jobs.change(pet, { taskId: created.task_id })
    }
    for (;;) {
      const task = await readTask(jobs, pet)
      // Null when the task has ended.
      if (task.poll_after_seconds === null) return
      await sleep(task.poll_after_seconds * 1000)
    }
  } catch (error) {
    jobs.change(pet, { error: error.message })
  }
}

async function readTask(jobs, pet) {
  const task = await call('GET', `/v1/pet-avatar/tasks/${jobs.all[pet].taskId}`)
  jobs.change(pet, { task })
  return task
}

/** Describes a pet as the app shows it: its pictures, and why the others are missing. */
function describe({ task, error }) {
  if (error !== undefined) return { status: 'failed', error }
  if (task === undefined) return { status: 'pending', pictures: [], missing: {} }
  const images = Object.entries(task.images)
  return {
    status: task.status,
    pictures: images.filter(([, { status }]) => status === 'success').map(([pose]) => pose),
    missing: Object.fromEntries(
      images.flatMap(([pose, image]) => (image.error_code ? [[pose, image.error_code]] : [])),
    ),
  }
}

/** Opens a picture. Its address expires after a day; the task then has a new one. */
async function openPicture(jobs, pet, pose) {
  const open = () => fetch(jobs.all[pet].task.images[pose].generated_url)
  const response = await open()
  if (response.status !== 403) return response
  await readTask(jobs, pet)
  return open()
}

/** Adds the averages to the records of a week of activity. The day of `asOf` is not finished, and days to come are null. */
function toPayload(records) {
  const { activityTime, steps } = records.metrics
  const { startDate } = records.period
  const today = records.insightContext.asOf.slice(0, 10)
  const average = (series) => {
    const isFinished = (_, place) =>
      new Date(Date.parse(startDate) + place * 86_400_000).toISOString().slice(0, 10) < today
    const known = series.filter(isFinished).filter((value) => value !== null)
    // The mistake that CI must find: a week that is not over has fewer days.
    const days = AVERAGE === 'of seven days' ? 7 : known.length
    return days === 0 ? null : Math.round((known.reduce((sum, value) => sum + value, 0) / days) * 10) / 10
  }
  const averageDailyActivityMinutes = average(activityTime.dailyActivityMinutes)
  const metrics = {
    activityTime: { ...activityTime, averageDailyActivityMinutes },
    steps: { ...steps, averageDailySteps: average(steps.dailySteps) },
  }
  return { ...records, metrics }
}

/** Answers the app. Returns a status and a JSON document, or a picture. */
async function answer(jobs, folder, request) {
  const [, pet, part, pose] = /^\/pets\/([\w-]+)(?:\/(pictures|insight)(?:\/(\w+))?)?$/.exec(request.url) ?? []
  if (pet === undefined) return [404, { error: 'There is nothing at this path.' }]
  if (request.method === 'PUT') {
    writeFileSync(join(folder, `${pet}.jpg`), await readBytes(request))
    // Before the first call: its answer may be lost, or this process may end.
    jobs.change(pet, { species: 'dog', key: randomUUID(), taskId: undefined, task: undefined, error: undefined })
    makePictures(jobs, folder, pet)
    return [202, describe(jobs.all[pet])]
  }
  if (part === 'insight') {
    const body = JSON.stringify(toPayload(JSON.parse(await readText(request))))
    const { summary } = await call('POST', '/v1/health-detail-insights/generate', { body })
    return [200, { summary }]
  }
  if (jobs.all[pet] === undefined) return [404, { error: `There is no pet ${pet}.` }]
  if (part === undefined) return [200, describe(jobs.all[pet])]
  const picture = await openPicture(jobs, pet, pose)
  return [picture.status, Buffer.from(await picture.arrayBuffer())]
}

async function serve(folder) {
  // A wrong address or key shows at the start, not with the first pet.
  await call('GET', '/v1/models')
  const jobs = openJobs(folder)
  for (const [pet, { task, error }] of Object.entries(jobs.all)) {
    if (error === undefined && task?.poll_after_seconds !== null) makePictures(jobs, folder, pet)
  }
  const server = createServer(async (request, response) => {
    const [status, body] = await answer(jobs, folder, request).catch((error) => [502, { error: error.message }])
    response.writeHead(status).end(Buffer.isBuffer(body) ? body : JSON.stringify(body))
  })
  server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))
}

const [command, folder] = process.argv.slice(2)
if (command === 'payload') console.log(JSON.stringify(toPayload(JSON.parse(await readText(process.stdin)))))
else await serve(folder)
