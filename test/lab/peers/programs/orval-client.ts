// A client of orval that calls with `fetch`: uploads a photo, follows the task, and sends a health payload.
import { readFileSync } from 'node:fs'
import { type ActivityDayRequest, generateAvatarWithFile, generateHealthDetailInsight, getAvatarTask } from './orval'

const { SVC_API_KEY = '', SVC_PHOTO = '', SVC_PAYLOADS = '' } = process.env
const options = { headers: { Authorization: `Bearer ${SVC_API_KEY}` } }

const created = await generateAvatarWithFile(
  {
    source_image: new File([readFileSync(SVC_PHOTO)], 'dog.jpg'),
    species: 'dog',
    user_id: 'ann',
    pet_id: 'ben',
    poses: ['sitting', 'lying'],
  },
  options,
)
if (created.status !== 200) throw new Error(JSON.stringify(created))

async function wait(taskId: string) {
  for (let tries = 0; tries < 120; tries += 1) {
    const answer = await getAvatarTask(taskId, options)
    // The status narrows the type.
    if (answer.status !== 200) throw new Error(JSON.stringify(answer))
    if (answer.data.poll_after_seconds == null) return answer.data
    await new Promise((resolve) => setTimeout(resolve, (answer.data.poll_after_seconds ?? 1) * 1000))
  }
  throw new Error('a task takes longer than two minutes')
}

const avatar = await wait(created.data.task_id)
if (avatar.images.lying?.status !== 'success') throw new Error(JSON.stringify(avatar))

const payload: ActivityDayRequest = JSON.parse(readFileSync(`${SVC_PAYLOADS}/ACTIVITY_DAY_IN_RANGE.json`, 'utf8'))
const insight = await generateHealthDetailInsight(payload, options)
if (insight.status !== 200) throw new Error(JSON.stringify(insight))
console.log(`${avatar.task_id}: ${insight.data.summary}`)
