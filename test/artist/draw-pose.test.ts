// run: takes 22 s, draws
import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { clipSeconds, framesPerSecond } from '../../src/artist/clip.js'
import { drawPose } from '../../src/artist/draw-pose.js'
import { type Look, readLook, type Species } from '../../src/artist/look.js'
import { type Pose, poses, stillPhase } from '../../src/artist/pet/poses/poses.js'
import { digestOf, requireSound, requireWellFormed } from '../helpers/artwork.js'
import { bundleProgram } from '../helpers/child.js'
import { paintedPets, paintPhoto } from '../helpers/painted-photo.js'
import { openTemporaryFolder } from '../helpers/temporary.js'

const drawing = suite('draw-pose')
const species = ['dog', 'cat'] as const
const samples: Partial<Record<Species, Look>> = {}

drawing.before(async () => {
  for (const each of species) samples[each] = await readLook(await readFile(`fixtures/photos/${each}.jpg`), each)
})

const sample = (each: Species): Look => {
  const look = samples[each]
  assert.ok(look)
  return look
}

/** Unusual photos. */
const oddPhotos: readonly (readonly [string, () => Promise<Buffer>])[] = [
  ['of one pixel', () => plain('#7f3f1f', 1, 1)],
  ['that is a thin strip', () => plain('#c0ffee', 100, 3)],
  ['that is all black', () => plain('#000', 300, 300)],
  ['that is all white', () => plain('#fff', 300, 300)],
  ['that is all green', () => plain('#0f0', 300, 300)],
  ['that is all magenta', () => plain('#f0f', 300, 300)],
  ['of hard noise', () => noise(256)],
  [
    'with transparency',
    () =>
      sharp({ create: { width: 300, height: 300, channels: 4, background: '#f000' } })
        .png()
        .toBuffer(),
  ],
  [
    'in gray scale',
    () =>
      sharp({ create: { width: 300, height: 300, channels: 3, background: '#777' } })
        .greyscale()
        .jpeg()
        .toBuffer(),
  ],
]

function plain(background: string, width: number, height: number): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background } })
    .jpeg()
    .toBuffer()
}

function noise(side: number): Promise<Buffer> {
  const bytes = Uint8Array.from({ length: side * side * 3 }, (_, index) => ((index * 2654435761) >>> 13) & 255)
  return sharp(bytes, { raw: { width: side, height: side, channels: 3 } })
    .jpeg()
    .toBuffer()
}

for (const [index, [name, paint]] of oddPhotos.entries()) {
  drawing(`draws sound documents from a photo ${name}`, async () => {
    const photo = await paint()
    const looks = await Promise.all(species.map((each) => readLook(photo, each)))
    const documents = looks.flatMap((look) => poses.map((pose) => drawPose(look, pose, stillPhase[pose])))
    documents.forEach(requireSound)
    // The photo changes only values of attributes: one pose of each species has them all.
    await requireWellFormed(documents.filter((_, at) => at % poses.length === index % poses.length))
  })
}

drawing('stays below 35 kB with the medallion', async () => {
  const looks = species.map(sample)
  for (const pet of Object.values(paintedPets)) {
    const photo = await paintPhoto(pet)
    for (const each of species) looks.push(await readLook(photo, each))
  }
  for (const look of looks) {
    for (const pose of poses) {
      const { length } = drawPose(look, pose, stillPhase[pose])
      assert.ok(length < 35_000, `${look.species} ${pose}: ${length} bytes`)
    }
  }
})

drawing('draws the same bytes in another process', async () => {
  const place = openTemporaryFolder()
  const run = await bundleProgram('helpers/artwork-digest.ts', place.folder)
  const there = run(species.map((each) => `fixtures/photos/${each}.jpg`))
  await there.ended
  assert.equal(
    there.lines,
    species.map((each) => digestOf(sample(each))),
  )
  place.close()
})

drawing('takes any size, and phases beyond one loop', () => {
  const small = drawPose(sample('dog'), 'sitting', 0.25, 512)
  assert.match(small, /width="512" height="512" viewBox="0 0 1024 1024"/)
  assert.is(drawPose(sample('dog'), 'sitting', 1.25, 512), small)
  assert.is(drawPose(sample('dog'), 'sitting', -0.75, 512), small)
})

for (const pose of ['sitting', 'walking', 'running'] as const) {
  drawing(`shows the inside of the mouth of a ${pose} dog, which pants`, async () => {
    const { palette } = sample('dog')
    const pixels = await sharp(Buffer.from(drawPose(sample('dog'), pose, stillPhase[pose])))
      .removeAlpha()
      .raw()
      .toBuffer()
    let seen = 0
    for (let at = 0; at < pixels.length; at += 3) {
      if (pixels.subarray(at, at + 3).toString('hex') === palette.mouth.slice(1)) seen += 1
    }
    assert.ok(seen > 600, `${seen} pixels`)
  })
}

async function thumbnail(look: Look, pose: Pose, phase: number): Promise<Buffer> {
  // Without the photo, which does not move.
  return sharp(Buffer.from(drawPose({ ...look, medallion: '' }, pose, phase, 96)))
    .removeAlpha()
    .greyscale()
    .raw()
    .toBuffer()
}

/** Mean difference between two pictures, out of 255. */
function stepBetween(one: Buffer, other: Buffer): number {
  return one.reduce((sum, value, index) => sum + Math.abs(value - (other[index] ?? 0)), 0) / one.length
}

for (const each of species) {
  for (const pose of poses) {
    drawing(`loops a ${pose} ${each} without a seam`, async () => {
      assert.is(drawPose(sample(each), pose, 1), drawPose(sample(each), pose, 0))
      const frames: Buffer[] = []
      const count = framesPerSecond * clipSeconds
      for (let index = 0; index < count; index += 1) frames.push(await thumbnail(sample(each), pose, index / count))
      const steps = frames.map((frame, index) => stepBetween(frame, frames[(index + 1) % count] ?? frame))
      const within = steps.slice(0, -1)
      assert.ok((steps.at(-1) ?? 0) <= Math.max(...within) * 1.05, `the step at the seam: ${steps.at(-1)}`)
      assert.ok(Math.max(...within) > 0, 'nothing moves')
      // The moving ground is most of the change.
      assert.ok(Math.max(...steps) < (pose === 'running' ? 14 : pose === 'walking' ? 9 : 3), `${Math.max(...steps)}`)
    })
  }
}

drawing.run()
