// A client of openapi-typescript and openapi-fetch: calls every kind of operation, with the types of the document alone.
import { readFileSync } from 'node:fs'
import createClient from 'openapi-fetch'
import type { components, paths } from './openapi'

type Schemas = components['schemas']

const { SVC_URL = '', SVC_UPLOAD_URL = SVC_URL, SVC_API_KEY = '', SVC_PHOTO = '', SVC_PAYLOADS = '' } = process.env
const headers = { Authorization: `Bearer ${SVC_API_KEY}` }
const client = createClient<paths>({ baseUrl: SVC_URL, headers })
const uploads = createClient<paths>({ baseUrl: SVC_UPLOAD_URL, headers })
let calls = 0

/** Returns the data of an answer. Throws its error. */
async function read<Data>(answer: Promise<{ data?: Data; error?: unknown; response: Response }>): Promise<Data> {
  const { data, error, response } = await answer
  calls += 1
  if (data === undefined) throw new Error(`${response.url} answers ${response.status}: ${JSON.stringify(error)}`)
  return data
}

/** Throws unless a call without data, or one that is meant to fail, answers `status`. */
async function expect(status: number, answer: Promise<{ error?: unknown; response: Response }>): Promise<void> {
  const { error, response } = await answer
  calls += 1
  if (response.status !== status)
    throw new Error(`${response.url} answers ${response.status}: ${JSON.stringify(error)}`)
}

/** Queries a task until it has ended. */
async function wait<Task extends { status: string; poll_after_seconds?: number | null }>(
  query: () => Promise<Task>,
): Promise<Task> {
  for (let tries = 0; tries < 120; tries += 1) {
    const task = await query()
    if (task.poll_after_seconds == null) {
      if (task.status !== 'success') throw new Error(JSON.stringify(task))
      return task
    }
    await new Promise((resolve) => setTimeout(resolve, (task.poll_after_seconds ?? 1) * 1000))
  }
  throw new Error('a task takes longer than two minutes')
}

await read(client.GET('/health'))
await read(client.GET('/live'))
await read(client.GET('/ready'))
const { data: models } = await read(client.GET('/v1/models'))
if (models[0]?.type !== 'text') throw new Error(JSON.stringify(models))

const upload = uploads.POST('/v1/pet-avatars/generate', {
  body: { source_image: '', species: 'dog', user_id: 'ann', pet_id: 'rex', pose: 'sitting' },
  bodySerializer: ({ source_image: _, ...fields }) => {
    const form = new FormData()
    form.append('source_image', new Blob([readFileSync(SVC_PHOTO)]), 'dog.jpg')
    for (const [name, value] of Object.entries(fields)) form.append(name, String(value))
    return form
  },
})
const { task_id } = await read(upload)
const avatar = await wait(() => read(client.GET('/v1/pet-avatar/tasks/{task_id}', { params: { path: { task_id } } })))
await read(client.GET('/v1/pet-avatars/tasks/{task_id}', { params: { path: { task_id } } }))
const picture: Schemas['AvatarImage'] | undefined = avatar.images.sitting
const cos_key = picture?.generated_cos_key ?? ''
const identity_asset_id = avatar.identity_asset_id ?? ''
const page = await read(client.GET('/v1/pet-avatars', { params: { query: { user_id: 'ann', page_size: 5 } } }))
if (page.total !== page.items.length || page.items[0]?.poses.sitting === undefined)
  throw new Error(JSON.stringify(page))
await read(client.GET('/v1/pet-avatars/{identity_asset_id}', { params: { path: { identity_asset_id } } }))
await read(client.POST('/v1/pet-avatars/feedback', { body: { feedbacks: [{ cos_key, liked: true }] } }))

const clip = await read(
  client.POST('/v1/pet-animation/generate', {
    params: { header: { 'Idempotency-Key': `clip of ${task_id}` } },
    body: { avatar_task_id: task_id, pose: 'sitting' },
  }),
)
const animation = await wait(() =>
  read(client.GET('/v1/pet-animation/tasks/{task_id}', { params: { path: { task_id: clip.task_id } } })),
)
if (animation.images.sitting?.mp4_url == null) throw new Error(JSON.stringify(animation))
const animation_path = { params: { path: { task_id: clip.task_id } } }
await expect(204, client.DELETE('/v1/pet-animation/tasks/{task_id}', animation_path))

const scene_ids = ['rain_walk', 'sofa_nap']
const library = await read(client.POST('/v1/pet-diary-images/generate', { body: { identity_asset_id, scene_ids } }))
const finished = await wait(() =>
  read(
    client.GET('/v1/pet-diary-images/tasks/{task_id}', {
      params: { path: { task_id: library.task_id }, query: { user_id: 'ann' } },
    }),
  ),
)
// The discriminator narrows the type.
if (finished.kind !== 'diary_library') throw new Error(JSON.stringify(finished))
const image_id = finished.items[0]?.image_id ?? ''
await read(client.GET('/v1/pet-diary-images/{image_id}', { params: { path: { image_id } } }))
await read(client.GET('/v1/pet-diary-images', { params: { query: { user_id: 'ann' } } }))
await read(
  client.POST('/v1/pet-diary-image-libraries/select', {
    body: { user_id: 'ann', pet_id: 'rex', date: '2026-11-26', facts: { species: 'dog', weather: 'rain' } },
  }),
)
const catalog = await read(client.GET('/v1/app-metadata/diary-image-library-scenes'))
if (catalog.scenes.length !== catalog.total) throw new Error('scenes are missing')

const cards = await read(
  client.POST('/v1/home-insights/generate', {
    body: { user_id: 'ann', pet_id: 'rex', species: 'dog', facts: { weather: 'rain', activity_minutes: 50 } },
  }),
)
const insight_id = cards.insights[0]?.insight_id ?? ''
await read(client.GET('/v1/ai-insights', { params: { query: { user_id: 'ann' } } }))
await read(client.GET('/v1/ai-insights/{insight_id}', { params: { path: { insight_id } } }))
await expect(410, client.POST('/v1/ai-insights/generate'))

const readPayload = <Name extends keyof Schemas>(file: string): Schemas[Name] =>
  JSON.parse(readFileSync(`${SVC_PAYLOADS}/${file}.json`, 'utf8'))
const payloads: Schemas['HealthDetailInsightRequest'][] = [
  readPayload<'ActivityDayRequest'>('ACTIVITY_DAY_IN_RANGE'),
  readPayload<'RestPeriodRequest'>('REST_PERIOD_IN_RANGE'),
  readPayload<'RestDayRequest'>('REST_NIGHT_GOOD'),
  readPayload<'HrvDayRequest'>('VITAL_DAY_IN_RANGE.hrv-balanced'),
  readPayload<'BarkPeriodRequest'>('BARK_PERIOD_IN_RANGE'),
]
for (const payload of payloads) {
  // openapi-fetch makes a member that may only be null one that may only be undefined.
  const body = payload as typeof payload & { previousPeriod?: undefined }
  await read(client.POST('/v1/health-detail-insights/generate', { body }))
}

// Facts keep their types, and belong to their metric.
const minutes = (payload: Schemas['HealthDetailInsightRequest']): number | null | undefined =>
  payload.metric === 'activity' && payload.viewWindow === 'day'
    ? payload.metrics.activityTime.activityMinutes
    : undefined
if (payloads.every((payload) => minutes(payload) === undefined)) throw new Error('no minutes')
// @ts-expect-error: barking is not a fact of rest
export const wrong: Schemas['RestDayMetrics'] = { barkDurationSeconds: 60 }

await read(client.GET('/_svc/usage', { params: { query: { by: 'pet' } } }))
const { data: log } = await read(client.GET('/_svc/requests'))
const request_id = log.at(-1)?.request_id ?? ''
await read(client.GET('/_svc/requests/{request_id}', { params: { path: { request_id } } }))

const moved = await read(client.POST('/_svc/clock', { body: { advance_seconds: 60 } }))
if (moved.offset_seconds < 60) throw new Error(JSON.stringify(moved))
await read(client.GET('/_svc/clock'))
await read(client.POST('/_svc/clock', { body: { reset: true } }))

const outage = { route: 'GET /v1/models', status: 503, retry_after: 1, times: 1 }
const { id: fault_id } = await read(client.POST('/_svc/faults', { body: outage }))
await expect(503, client.GET('/v1/models'))
const { data: rules } = await read(client.GET('/_svc/faults'))
if (rules.find(({ id }) => id === fault_id)?.state !== 'spent') throw new Error(JSON.stringify(rules))
await expect(204, client.DELETE('/_svc/faults/{fault_id}', { params: { path: { fault_id } } }))
await read(client.POST('/_svc/faults', { body: { rule: 'route=POST /v1/home-insights/generate,delay=100ms' } }))
const { removed } = await read(client.DELETE('/_svc/faults'))
if (removed !== 1) throw new Error(`${removed} rules were removed`)
await expect(422, client.POST('/_svc/faults', { body: { status: 503, body: 'torn' } }))

const { error } = await client.GET('/v1/pet-avatar/tasks/{task_id}', { params: { path: { task_id: 'avatar_none' } } })
if (error?.error.code !== 'not_found') throw new Error(JSON.stringify(error))
console.log(`${calls} calls`)
