import { readFileSync } from 'node:fs'
import { routes } from '../../src/contract/index.js'
import type { Examples, OperationExamples } from '../../src/contract/openapi/examples.js'
import { defineRoute, type Route } from '../../src/contract/route.js'
import { type ErrorCode, SvcError } from '../../src/errors.js'
import { createSystemHandlers } from '../../src/server/handlers/system.js'
import { type Json, makeForm, startMediaApp } from './media.js'
import { startServer } from './server.js'

/** A call to record. */
type Sent = Omit<OperationExamples, 'reply'>

/** A payload of each metric and kind of window, by the name of its schema. */
const payloads = {
  ActivityDayRequest: 'ACTIVITY_DAY_IN_RANGE',
  ActivityPeriodRequest: 'ACTIVITY_PERIOD_LOW_DAYS.week',
  RestDayRequest: 'REST_NIGHT_GOOD',
  RestPeriodRequest: 'REST_PERIOD_IN_RANGE',
  HrDayRequest: 'VITAL_DAY_IN_RANGE',
  HrPeriodRequest: 'VITAL_PERIOD_IN_RANGE',
  HrvDayRequest: 'VITAL_DAY_IN_RANGE.hrv-balanced',
  HrvPeriodRequest: 'VITAL_PERIOD_UNUSUAL_DAYS',
  RrDayRequest: 'VITAL_DAY_OUT_OF_RANGE.rr-just-above',
  RrPeriodRequest: 'VITAL_PERIOD_IN_RANGE.rr-first-week',
  BarkDayRequest: 'BARK_DAY_CALM',
  BarkPeriodRequest: 'BARK_PERIOD_IN_RANGE',
}

/**
 * Calls every operation of a server, and returns the requests and its answers. What differs from run to run (IDs, times,
 * signatures) is replaced, and lists are cut to two entries.
 */
export async function recordExamples(): Promise<Examples> {
  const app = await startMediaApp()
  const operations: Record<string, OperationExamples> = {}
  const errors: Partial<Record<ErrorCode, unknown>> = {}

  async function call(name: keyof typeof routes, sent: Sent = {}): Promise<Json> {
    const { method, path }: Route = routes[name]
    const query = new URLSearchParams(sent.query as Record<string, string>).toString()
    const url = path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => sent.path?.[parameter] ?? '')
    const body = sent.form === undefined ? sent.body : await makeForm(sent.form as Record<string, unknown>)
    return app.send(method, query === '' ? url : `${url}?${query}`, body)
  }
  async function record(name: keyof typeof routes, sent: Sent = {}): Promise<Json> {
    const { status, body } = await call(name, sent)
    if (status !== 200 && status !== 204) throw new Error(`${name} answers ${JSON.stringify(body)}`)
    operations[name] = { ...operations[name], ...sent, ...(body !== undefined && { reply: cut(body) }) }
    return body
  }
  /** Adds parameters to the last call of an operation, and keeps its answer. */
  async function addQuery(name: keyof typeof routes, query: Sent['query']): Promise<void> {
    const { reply, query: sent, ...others } = operations[name] ?? {}
    await record(name, { ...others, query: { ...sent, ...query } })
    operations[name] = { ...operations[name], reply }
  }

  const pet = { user_id: 'ann', pet_id: 'rex' }
  const { version } = await record('getHealth')
  for (const name of ['getLive', 'getReady', 'listModels', 'listDiaryScenes'] as const) await record(name)
  operations.getPayloadSchema = { reply: { title: (await call('getPayloadSchema')).body.title } }
  operations.getOpenApi = { reply: { openapi: (await call('getOpenApi')).body.openapi } }

  const form = { ...pet, species: 'dog', poses: ['lying', 'sitting'] }
  const { task_id } = await record('generateAvatar', { form })
  operations.generateAvatar = {
    ...operations.generateAvatar,
    body: { ...form, source_image_url: 'https://pets.example/rex.jpg' },
  }
  await app.idle()
  const avatar = await record('getAvatarTask', { path: { task_id } })
  await record('listIdentityAssets', { query: { user_id: 'ann' } })
  await record('getIdentityAsset', { path: { identity_asset_id: avatar.identity_asset_id } })
  const { generated_cos_key: cos_key } = avatar.images.lying
  await record('saveAvatarFeedback', { body: { feedbacks: [{ cos_key, liked: true }] } })

  const animation = await record('generateAnimation', { body: { avatar_task_id: task_id, pose: 'lying' } })
  const clip = { path: { task_id: animation.task_id } }
  errors.conflict = (await call('deleteAnimationTask', clip)).body
  await app.idle()
  await record('getAnimationTask', clip)
  await record('deleteAnimationTask', clip)

  const reference = { identity_asset_id: avatar.identity_asset_id }
  const library = await record('generateDiaryImages', { body: { ...reference, scene_ids: ['rain_walk', 'sofa_nap'] } })
  await app.idle()
  const libraryTask = (await app.send('GET', `/v1/pet-diary-images/tasks/${library.task_id}?user_id=ann`)).body
  const picture = await record('generateDiaryImages', { body: { ...reference, scene_ids: ['rain_walk'] } })
  await app.idle()
  const { image_id } = await record('getDiaryTask', { path: { task_id: picture.task_id }, query: { user_id: 'ann' } })
  await record('listDiaryImages', { query: { user_id: 'ann' } })
  await record('getDiaryImage', { path: { image_id } })
  await record('selectDiaryImage', {
    body: { ...pet, date: '2026-11-26', facts: { species: 'dog', weather: 'rain' } },
  })

  const facts = { weather: 'rain', activity_minutes: 50, activity_goal_minutes: 90 }
  const cards = await record('generateHomeInsights', {
    body: { ...pet, pet_name: 'Rex', species: 'dog', locale: 'en-US', date: '2026-11-26', facts },
  })
  await record('listInsights', { query: { user_id: 'ann' } })
  await record('getInsight', { path: { insight_id: cards.insights[0].insight_id } })

  const requests = Object.fromEntries(Object.entries(payloads).map(([name, file]) => [name, readPayload(file)]))
  for (const body of Object.values(requests)) await record('generateHealthDetailInsight', { body })
  await record('generateHealthDetailInsight', { body: requests.ActivityDayRequest })

  await record('getUsage', { query: { by: 'pet' } })
  await record('listRequests', { query: { limit: 2 } })
  await record('getRequest', { path: { request_id: picture.request_id } })
  await record('getClock')
  await record('moveClock', { body: { reset: true } })
  const fault = await record('addFault', { body: { route: 'GET /v1/models', status: 503, times: 1, for: '5m' } })
  await record('listFaults')
  await record('removeFault', { path: { fault_id: fault.id } })
  await record('clearFaults')

  const page = { page: 1, page_size: 20 }
  for (const name of ['listIdentityAssets', 'listDiaryImages', 'listInsights', 'getUsage'] as const)
    await addQuery(name, page)
  for (const name of ['getDiaryTask', 'listInsights'] as const) await addQuery(name, { pet_id: 'rex' })
  await addQuery('listDiaryScenes', { version: 'V4.3' })
  await addQuery('getUsage', { missing_id: 'false', from: '2026-11-01', to: '2026-11-30' })
  const filters = { status: 200, pet_id: 'rex', request_id: picture.request_id, include: 'svc' }
  await addQuery('listRequests', { after: '30', ...filters })

  errors.gone = (await call('generateAiInsights')).body
  errors.not_found = (await call('getAvatarTask', { path: { task_id: 'avatar_none' } })).body
  errors.invalid_request = (await call('generateAnimation', { body: { avatar_task_id: task_id, pose: 'siting' } })).body
  errors.method_not_allowed = (await app.send('PATCH', '/health')).body
  errors.payload_too_large = (await call('generateHomeInsights', { body: { pet_name: 'x'.repeat(2 << 20) } })).body
  const gzip = { 'content-encoding': 'gzip' }
  errors.unsupported_content_encoding = (await app.send('POST', '/v1/home-insights/generate', {}, gzip)).body
  errors.unauthorized = (await app.send('GET', '/v1/models', undefined, { authorization: '' })).body
  const limited = await app.createKey({ rateLimit: 1, endpoints: ['pet-diary'] })
  for (const code of ['forbidden', 'rate_limit_exceeded'] as const) {
    errors[code] = (await app.send('GET', '/v1/models', undefined, { authorization: `Bearer ${limited.text}` })).body
  }
  await app.close()
  for (const name of ['getHealth', 'getReady'] as const)
    operations[name] = { ...operations[name], outage: await readOutage(name, version) }
  for (const code of ['internal_error', 'provider_error', 'unavailable'] as const)
    errors[code] = await readFailure(code)

  const schemas = { ...requests, DiaryLibraryCreated: library, DiaryLibraryTask: cut(libraryTask) }
  return replaceChanging({ operations, errors, schemas })
}

const failures = {
  internal_error: new Error('a defect'),
  provider_error: new SvcError('provider_error', 'The model service could not make the picture of this day.'),
  unavailable: new SvcError('unavailable', 'Too many files are being uploaded right now. Try again in a few seconds.'),
}

/** Returns the answer of a server whose handler fails. */
async function readFailure(code: keyof typeof failures): Promise<unknown> {
  const fail = defineRoute({ method: 'GET', path: '/fail', summary: 'Fails', access: 'public', replies: { 204: null } })
  const server = await startServer(
    { fail },
    {
      fail: () => {
        throw failures[code]
      },
    },
  )
  const body = await (await server.send('GET', '/fail')).json()
  await server.close()
  return body
}

/** Returns the answer of a server whose database is out of service. */
async function readOutage(name: 'getHealth' | 'getReady', version: string): Promise<unknown> {
  const handlers = createSystemHandlers({ isAlive: async () => false }, routes, version, async () => false)
  const server = await startServer({ [name]: routes[name] }, { [name]: handlers[name] })
  const body = await (await server.send('GET', routes[name].path)).json()
  await server.close()
  return body
}

const readPayload = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../fixtures/insight/${name}.json`, import.meta.url), 'utf8'))

/** Cuts lists of objects to two entries. */
function cut(value: unknown): unknown {
  if (Array.isArray(value)) return (typeof value[0] === 'object' ? value.slice(0, 2) : value).map(cut)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, cut(member)]))
}

function replaceChanging(examples: Examples): Examples {
  const ids = new Map<string, string>()
  const text = JSON.stringify(examples)
    .replaceAll(/\b01[0-9A-HJKMNP-TV-Z]{24}\b|(?<=_)01[0-9A-HJKMNP-TV-Z]{24}/g, (id) => {
      const known = ids.get(id) ?? `01KB${String(ids.size + 1).padStart(22, '0')}`
      ids.set(id, known)
      return known
    })
    .replaceAll(/(?<="(?:\w+_at|time|now|real_time|generatedAt)":")[^"]+/g, '2026-11-26T08:00:00.000Z')
    .replaceAll('The task is pending;', 'The task is processing;')
    .replaceAll(/http:\/\/svc\.test/g, 'https://svc.example')
    .replaceAll(/expires=\d+&signature=[\w-]+/g, 'expires=1795766400&signature=iN3o4qW6LmY2c7h0T9rXk1')
    .replaceAll(/hmac:[\w-]+/g, 'hmac:Zk3v8Qn1xT5r')
    .replaceAll(/(?<="cursor":")[^"]+/g, '30')
    .replaceAll(/(?<="day":")\d{4}-\d\d-\d\d/g, '2026-11-26')
    .replaceAll(/(?<="instance":")[^"]+/g, 'pets-1-4242-e42ef329ea')
    .replaceAll(/(?<="duration_ms":)[\d.]+/g, '12.5')
    .replaceAll(/(?<="bytes":)\d+/g, '48213')
  return JSON.parse(text)
}
