import { availableParallelism } from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import sharp from 'sharp'
import { createStubProvider } from '../../../src/adapters/providers/stub/provider.js'
import { drawPose } from '../../../src/artist/draw-pose.js'
import { readLook } from '../../../src/artist/look.js'
import { poses, stillPhase } from '../../../src/artist/pet/poses/poses.js'
import { encodePicture } from '../../../src/artist/picture.js'
import type { Provider, ProviderImage } from '../../../src/ports/provider.js'
import { buildCall, buildClipRequest, buildPictureRequest } from '../../helpers/provider-calls.js'
import { atLeast, atMost, type BenchRow, measureInterleaved, median, row, timeRatios } from './row.js'
import type { World } from './server/processes.js'

/** More pets than the provider remembers: every round reads all of their photos. */
const petCount = 18
const rounds = 5

/** The stub provider against sharp alone, which decodes the same photos and encodes the same drawings. */
export async function benchPictures({ keep }: World): Promise<BenchRow[]> {
  sharp.concurrency(1)
  sharp.cache(false)
  const provider = createStubProvider({ delayMs: 0, fail: [] })
  keep({ stop: () => provider.close() })
  const photos = await Promise.all(Array.from({ length: petCount }, (_, seed) => makeCameraPhoto(seed)))
  return [await benchRate(provider, photos), await benchDelay(provider, photos)]
}

async function benchRate(provider: Provider, photos: readonly ProviderImage[]): Promise<BenchRow> {
  const requests = photos.flatMap((photo) => poses.map((pose) => buildPictureRequest(photo, { pose })))
  const drawings = await Promise.all(
    photos.map(async ({ bytes }) => {
      const look = await readLook(bytes, 'dog')
      return poses.map((pose) => drawPose(look, pose, stillPhase[pose]))
    }),
  )
  const sharpJobs = drawings.flatMap((svgs, index) => [
    () => decodeAlone(photos[index]?.bytes),
    ...svgs.map((svg) => () => encodePicture(svg)),
  ])
  const seconds = await measureInterleaved(
    {
      sharp: () => runAtOnce(sharpJobs, availableParallelism()),
      provider: () =>
        runAtOnce(
          requests.map((request) => () => provider.generatePicture(request, buildCall())),
          provider.slots,
        ),
    },
    rounds,
  )
  return row(
    'pictures',
    'pictures a second of the stub, of sharp alone doing the same decodes and encodes',
    timeRatios(seconds.sharp, seconds.provider),
    atLeast(0.9),
    `${Math.round(requests.length / median(seconds.provider))}/s`,
  )
}

/** Runs the sharp operations of `readLook`. */
async function decodeAlone(photo: Uint8Array | undefined): Promise<void> {
  const crop = (side: number) => sharp(photo).resize(side, side, { fit: 'cover', position: 'attention' }).flatten()
  await crop(64).toColorspace('srgb').removeAlpha().raw().toBuffer()
  await crop(160).toColorspace('srgb').jpeg({ quality: 82 }).toBuffer()
}

async function benchDelay(provider: Provider, photos: readonly ProviderImage[]): Promise<BenchRow> {
  const delays: number[] = []
  for (const photo of photos.slice(0, rounds)) {
    const delay = monitorEventLoopDelay({ resolution: 5 })
    delay.enable()
    await Promise.all(poses.map((pose) => provider.generateClip(buildClipRequest(photo, { pose }), buildCall())))
    delay.disable()
    delays.push(delay.percentile(99) / 1e6)
  }
  return row('pictures-delay', 'delay of the main loop while four clips are drawn, p99', delays, atMost(50, 'ms'))
}

/** Runs all jobs, so many at once. */
async function runAtOnce(jobs: readonly (() => Promise<unknown>)[], count: number): Promise<void> {
  const rest = jobs.values()
  await Promise.all(
    Array.from({ length: count }, async () => {
      for (const job of rest) await job()
    }),
  )
}

/** Of the size that photos are stored in, and with the noise of a camera. */
async function makeCameraPhoto(seed: number): Promise<ProviderImage> {
  const background = { r: (seed * 67) % 256, g: (seed * 101) % 256, b: (seed * 29) % 256 }
  const noise = { type: 'gaussian', mean: 128, sigma: 24 } as const
  const grain = await sharp({ create: { width: 400, height: 300, channels: 3, background, noise } })
    .png()
    .toBuffer()
  const bytes = await sharp({ create: { width: 1600, height: 1200, channels: 3, background } })
    .composite([{ input: await sharp(grain).resize(1600, 1200).png().toBuffer(), blend: 'soft-light' }])
    .jpeg({ quality: 88 })
    .toBuffer()
  return { bytes, contentType: 'image/jpeg' }
}
