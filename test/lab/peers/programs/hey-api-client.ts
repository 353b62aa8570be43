// A client of hey-api: uploads a photo, follows the task, and sends a health payload, with the types of the document alone.
import { readFileSync } from 'node:fs'
import {
  generateAvatarWithFile,
  generateDiaryImages,
  generateHealthDetailInsight,
  getAvatarTask,
  getDiaryTask,
  listModels,
} from './hey-api'
import { client } from './hey-api/client.gen'
import type { ActivityDayRequest } from './hey-api/types.gen'

const { SVC_URL = '', SVC_API_KEY = '', SVC_PHOTO = '', SVC_PAYLOADS = '' } = process.env
client.setConfig({ baseUrl: SVC_URL, auth: SVC_API_KEY })

const { data: models } = await listModels({ throwOnError: true })
if (models.data.length !== 3) throw new Error(JSON.stringify(models))

const { data: created } = await generateAvatarWithFile({
  body: {
    source_image: new File([readFileSync(SVC_PHOTO)], 'dog.jpg'),
    species: 'dog',
    user_id: 'ann',
    pet_id: 'tom',
    poses: ['lying'],
  },
  throwOnError: true,
})

async function wait<Task extends { poll_after_seconds?: number | null }>(query: () => Promise<{ data: Task }>) {
  for (let tries = 0; tries < 120; tries += 1) {
    const { data } = await query()
    if (data.poll_after_seconds == null) return data
    await new Promise((resolve) => setTimeout(resolve, (data.poll_after_seconds ?? 1) * 1000))
  }
  throw new Error('a task takes longer than two minutes')
}

const avatar = await wait(() => getAvatarTask({ path: { task_id: created.task_id }, throwOnError: true }))
if (avatar.images.lying?.status !== 'success') throw new Error(JSON.stringify(avatar))

const { data: diary } = await generateDiaryImages({
  body: { identity_asset_id: avatar.identity_asset_id, scene_ids: ['rain_walk'] },
  throwOnError: true,
})
const query = { user_id: 'ann' }
const picture = await wait(() => getDiaryTask({ path: { task_id: diary.task_id }, query, throwOnError: true }))
// The discriminator narrows the type.
if (picture.kind !== 'diary' || picture.scene_id !== 'rain_walk') throw new Error(JSON.stringify(picture))

const body: ActivityDayRequest = JSON.parse(readFileSync(`${SVC_PAYLOADS}/ACTIVITY_DAY_IN_RANGE.json`, 'utf8'))
const minutes: number = body.metrics.activityTime.activityMinutes
const { data: insight } = await generateHealthDetailInsight({ body, throwOnError: true })
console.log(`${minutes} minutes: ${insight.summary}`)
