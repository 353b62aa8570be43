import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { createKey } from './filled.js'
import { atMost, type BenchRow, median, row, timeRatios } from './row.js'
import { openCaller, type Send, waitForEnd } from './server/avatar-calls.js'
import { start, startSvc, type World } from './server/processes.js'

const rounds = 9
const atOnce = 10

/** The time until the answer of a create call: alone with a large photo, and among others. */
export async function benchAccepts({ folder, keep }: World): Promise<BenchRow[]> {
  const key = createKey(folder, 0)
  const svc = keep(await startSvc(folder, start))
  const photo = await makePhoto(4000, 3000)
  const send = await openCaller(svc, key, [], photo)
  const sendSmall = await openCaller(svc, key, [], await makePhoto(1600, 1200))
  const [alone, accepts, tasks]: [number[], number[], number[]] = [[], [], []]
  for (let round = 0; round <= rounds; round++) {
    const startedAt = performance.now()
    await decodeAndStore(photo, join(folder, 'alone.jpg'))
    const aloneMs = performance.now() - startedAt
    const { acceptMs, taskMs } = await measureTask(send)
    // The first round starts processes.
    if (round === 0) continue
    alone.push(aloneMs)
    accepts.push(acceptMs)
    tasks.push(taskMs)
  }
  const many: number[] = []
  for (let round = 0; round < 3; round++) {
    const measured = await Promise.all(Array.from({ length: atOnce }, () => measureTask(sendSmall)))
    many.push(...measured.map(({ acceptMs }) => acceptMs))
  }
  const of = 'of decoding and storing the photo once'
  return [
    row(
      'accept',
      `accept of an avatar with a photo of 12 megapixels, one at a time, ${of}`,
      timeRatios(accepts, alone),
      atMost(undefined),
      `${median(accepts).toFixed(0)} ms, and the whole task ${median(tasks).toFixed(0)} ms; alone ${median(alone).toFixed(0)} ms`,
    ),
    row(
      'accept-many',
      `accept of an avatar with a photo of 1600 x 1200, ${atOnce} at once while their pictures are drawn: p50`,
      many,
      atMost(150, 'ms'),
    ),
  ]
}

async function measureTask(send: Send): Promise<{ acceptMs: number; taskMs: number }> {
  const startedAt = performance.now()
  const { status, body } = await send('POST', '/v1/pet-avatar/generate')
  const acceptMs = performance.now() - startedAt
  if (status !== 200) throw new Error(`an avatar was refused: ${JSON.stringify(body)}`)
  const ended = await waitForEnd(send, body.task_id, 10)
  if (ended !== 'success') throw new Error(`an avatar ended as ${ended}`)
  return { acceptMs, taskMs: performance.now() - startedAt }
}

/** Does with a photo what the server does, by sharp alone: the stored copy is a JPEG of at most 2048 pixels, on disk. */
async function decodeAndStore(photo: Buffer, path: string): Promise<void> {
  const copy = await sharp(photo, { autoOrient: true })
    .resize(2048, 2048, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: 'white' })
    .jpeg({ quality: 88 })
    .toBuffer()
  const file = await open(path, 'w')
  await file.writeFile(copy)
  await file.sync()
  await file.close()
  await rm(path)
}

/** A photo with the noise of a camera. */
async function makePhoto(width: number, height: number): Promise<Buffer> {
  const background = { r: 120, g: 140, b: 90 }
  const noise = { type: 'gaussian', mean: 128, sigma: 24 } as const
  const grain = await sharp({ create: { width: 1000, height: 750, channels: 3, background, noise } })
    .png()
    .toBuffer()
  return sharp(grain).resize(width, height).jpeg({ quality: 90 }).toBuffer()
}
