// run: draws
import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { drawPose } from '../../../src/artist/draw-pose.js'
import { drawScene } from '../../../src/artist/draw-scene.js'
import { type Look, readLook, type Species } from '../../../src/artist/look.js'
import { poses, stillPhase } from '../../../src/artist/pet/poses/poses.js'
import { readSceneLibrary } from '../../../src/catalog/diary.js'
import { diaryVersions } from '../../../src/media/diary-versions.js'
import { fitsSpecies } from '../../../src/media/scenes.js'
import { Backdrop } from '../../../src/ports/backdrop.js'

const svg = suite('svg')
const species = ['dog', 'cat'] as const
const samples: Partial<Record<Species, Look>> = {}

svg.before(async () => {
  for (const each of species) samples[each] = await readLook(await readFile(`fixtures/photos/${each}.jpg`), each)
})

const sample = (each: Species): Look => {
  const look = samples[each]
  assert.ok(look)
  // Without the photo, which takes a third of the time and can only hide a gap.
  return { ...look, medallion: '' }
}

/** Nothing comes before the fill, and nothing around it is transparent. */
const filled =
  /^<svg xmlns="[^"]+" width="(\d+)" height="\1" viewBox="0 0 1024 1024"><rect x="0" y="0" width="1024" height="1024" fill="#[\da-f]{6}"\/>/

/**
 * Fails for each drawing that does not begin by filling its whole canvas with an opaque color, and for the first one if
 * any pixel of it is not fully opaque: such a pixel is transparent in a WebP and can be black in a PNG and an MP4.
 */
async function requireOpaque(drawings: ReadonlyMap<string, string>): Promise<void> {
  assert.equal(
    [...drawings].filter(([, drawing]) => !filled.test(drawing)).map(([name]) => name),
    [],
  )
  const [first = ''] = drawings.values()
  const alpha = await sharp(Buffer.from(first)).ensureAlpha().extractChannel('alpha').raw().toBuffer()
  assert.is(alpha.length, side * side)
  assert.ok(alpha.every((value) => value === 255))
}

/** Edges between the pixels of a picture or clip are not between those of this size. */
const side = 250

for (const each of species) {
  for (const pose of poses) {
    svg(`covers the still and the frames of a ${pose} ${each}`, async () => {
      const moments = [stillPhase[pose], ...Array.from({ length: 8 }, (_, index) => index / 8 + 1 / 48)]
      await requireOpaque(new Map(moments.map((phase) => [`${phase}`, drawPose(sample(each), pose, phase, side)])))
    })
  }
}

svg('covers every scene of the libraries', async () => {
  const scenes = diaryVersions.flatMap((version) => readSceneLibrary(version).scenes)
  const drawings = scenes.map((scene) => {
    const drawn = { pose: scene.recommended_pose, backdrop: scene.backdrop }
    return [JSON.stringify(drawn), drawScene(sample(fitsSpecies(scene, 'dog') ? 'dog' : 'cat'), drawn, side)] as const
  })
  await requireOpaque(new Map(drawings))
})

const { place, ground, weather, season } = Backdrop.properties
for (const where of place.enum) {
  svg(`covers each ground of the place ${where} in any weather`, async () => {
    const drawings = ground.enum.map((below, index) => {
      const backdrop = {
        place: where,
        ground: below,
        weather: weather.enum[index % weather.enum.length],
        season: season.enum[index % season.enum.length],
      }
      return [JSON.stringify(backdrop), drawScene(sample('cat'), { pose: 'sitting', backdrop }, side)] as const
    })
    await requireOpaque(new Map(drawings))
  })
}

svg.run()
