// run: takes 16 s, draws
import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { drawPose } from '../../src/artist/draw-pose.js'
import { drawScene, readSetting } from '../../src/artist/draw-scene.js'
import { type Look, readLook, type Species } from '../../src/artist/look.js'
import { poses } from '../../src/artist/pet/poses/poses.js'
import { propNames } from '../../src/artist/scenery/setting.js'
import { faces, slots } from '../../src/artist/scenery/slots.js'
import { readSceneLibrary } from '../../src/catalog/diary.js'
import { diaryVersions } from '../../src/media/diary-versions.js'
import { fitsSpecies } from '../../src/media/scenes.js'
import { Backdrop } from '../../src/ports/backdrop.js'
import { requireSound, requireWellFormed } from '../helpers/artwork.js'

const drawing = suite('draw-scene')
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

const { place, season, weather, time_of_day, ground } = Backdrop.properties
const words = {
  place: place.enum,
  season: season.enum,
  weather: weather.enum,
  time_of_day: time_of_day.enum,
  ground: ground.enum,
}
const plain = { place: 'garden', season: 'summer', weather: 'sun', time_of_day: 'day', ground: 'grass', props: [] }
const draw = (backdrop: Readonly<Record<string, unknown>>, each: Species = 'dog') =>
  drawScene(sample(each), { pose: 'sitting', backdrop })

/** The scenes that versions share are drawn and parsed once. */
const drawn = new Map<string, string>()

for (const version of diaryVersions) {
  for (const each of species) {
    drawing(`draws every scene of ${version} for a ${each} according to its backdrop, in less than 50 kB`, async () => {
      const scenes = readSceneLibrary(version).scenes.filter((scene) => fitsSpecies(scene, each))
      const drawings = scenes.map(({ scene_id: id, recommended_pose: pose, backdrop }) => {
        const { time, ...setting } = readSetting(backdrop)
        assert.equal({ ...setting, time_of_day: time }, { pet: {}, ...backdrop }, id)
        const key = JSON.stringify([each, pose, backdrop])
        const document = drawn.get(key) ?? drawScene(sample(each), { pose, backdrop })
        assert.ok(document.length < 50_000, `${id}: ${document.length} bytes`)
        if (!drawn.has(key)) assert.is(document, drawScene(sample(each), { pose, backdrop }))
        return { key, document }
      })
      const others = drawings.filter(({ key }) => !drawn.has(key)).map(({ document }) => document)
      others.forEach(requireSound)
      if (others.length > 0) await requireWellFormed(others)
      for (const { key, document } of drawings) drawn.set(key, document)
      // Scenes must be distinguishable.
      assert.is(new Set(drawings.map(({ document }) => document)).size, drawings.length)
    })
  }
}

for (const [name, all] of Object.entries(words)) {
  for (const setting of ['garden', 'room', 'street']) {
    drawing(`draws each ${name} differently in a ${setting}`, () => {
      const seen = new Map<string, string>()
      for (const word of all) {
        const document = draw({ ...plain, place: setting, [name]: word })
        requireSound(document)
        assert.is(seen.get(document), undefined, `${word} is ${seen.get(document)}`)
        seen.set(document, word)
      }
    })
  }
}

/** Without the photo, which takes longest to draw. */
const plainly = (each: Species): Look => ({ ...sample(each), medallion: '' })

/** Returns the lowest opacity of all pixels, out of 255. */
async function leastOpacity(document: string): Promise<number> {
  return Math.min(...(await sharp(Buffer.from(document)).ensureAlpha().extractChannel(3).raw().toBuffer()))
}

/** Removes the fill of the canvas, which shows where nothing else is drawn. */
function withoutCanvas(document: string): string {
  const rest = document.replace(/^(<svg [^>]*>)<rect x="0" y="0" width="1024" height="1024" fill="[^"]*"\/>/, '$1')
  assert.is.not(rest, document, 'the document does not begin with the fill of the canvas')
  return rest
}

for (const size of [61, 97]) {
  drawing(`covers each pixel of each scene at ${size} pixels, without the fill of the canvas`, async () => {
    const all = diaryVersions.flatMap((version) => readSceneLibrary(version).scenes)
    const different = new Map(all.map((scene) => [JSON.stringify([scene.scene_id, scene.backdrop]), scene]))
    for (const { scene_id: id, recommended_pose: pose, backdrop } of different.values()) {
      assert.is(await leastOpacity(withoutCanvas(drawScene(plainly('dog'), { pose, backdrop }, size))), 255, id)
    }
  })
}

drawing('covers each pixel of any place on any ground, without the fill of the canvas', async () => {
  const bare: string[] = []
  for (const where of words.place) {
    for (const on of words.ground) {
      const document = drawScene(plainly('cat'), { pose: 'lying', backdrop: { place: where, ground: on } }, 61)
      if ((await leastOpacity(withoutCanvas(document))) < 255) bare.push(`${where} ${on}`)
    }
  }
  assert.equal(bare, [])
})

for (const pose of poses) {
  drawing(`covers each pixel of a ${pose} pet at every moment, without the fill of the canvas`, async () => {
    for (const moment of [0, 0.31, 0.67]) {
      for (const size of [61, 96]) {
        assert.is(await leastOpacity(withoutCanvas(drawPose(plainly('cat'), pose, moment, size))), 255)
      }
    }
  })
}

for (const pose of poses) {
  drawing(`ties balloons to a weight on the ground, behind a ${pose} pet`, async () => {
    const { air, right } = slots[pose]
    const pixelsOf = async (props: readonly string[]) => {
      const document = drawScene(plainly('dog'), { pose, backdrop: { ...plain, place: 'room', props } })
      const weight = { left: air.x - 20, top: right.y - 80, width: 40, height: 24 }
      return sharp(Buffer.from(document)).extract(weight).raw().toBuffer()
    }
    assert.is.not((await pixelsOf(['balloons'])).compare(await pixelsOf(['wreath'])), 0)
  })
}

drawing('draws another animal in its bed, unless the pet lies in it', () => {
  const partsOf = (pose: 'sitting' | 'lying') => {
    const document = drawScene(plainly('dog'), {
      pose,
      backdrop: { ...plain, place: 'room', props: ['friend', 'bed'] },
    })
    return {
      back: document.indexOf('M-130-30C'),
      puppy: document.indexOf('M-60-150C'),
      rim: document.indexOf('M-130-40C'),
    }
  }
  const { back, puppy, rim } = partsOf('sitting')
  assert.ok(back > 0 && back < puppy && puppy < rim)
  assert.is(partsOf('lying').rim, -1)
})

drawing('draws banks of fog without hard edges', () => {
  const document = draw({ ...plain, weather: 'fog' })
  assert.not.match(document, /<rect [^>]*fill-opacity/)
  assert.match(document, /url\(#near-mist\)/)
  assert.match(document, /url\(#far-mist\)/)
})

drawing('draws each prop as a sound document, in every pose, indoors and outdoors', () => {
  for (const pose of poses) {
    for (const where of ['garden', 'room']) {
      const without = drawScene(sample('cat'), { pose, backdrop: { ...plain, place: where } })
      for (const prop of propNames) {
        if (prop === 'window' && where === 'garden') continue
        const document = drawScene(sample('cat'), { pose, backdrop: { ...plain, place: where, props: [prop] } })
        requireSound(document)
        assert.is.not(document, without, `${prop} ${pose} ${where}`)
      }
    }
  }
})

drawing('ignores unknown words', () => {
  const odd = { place: 'moon', season: 7, weather: null, ground: ['lava'], props: ['toString', 'dragon', 3] }
  assert.is(draw(odd), draw({}))
  assert.is(draw({ ...plain, props: 'ball' }), draw(plain))
  requireSound(draw({}))
})

drawing('gives each of several props its own slot', () => {
  const low = ['ball', 'gift', 'bowl'].map((prop) => draw({ ...plain, props: [prop] }))
  const spots = low.map((document) => /translate\(864 796\)/.test(document))
  assert.equal(spots, [true, true, true])
  const together = draw({ ...plain, props: ['ball', 'gift', 'bowl'] })
  for (const spot of ['864 796', '200 960', '540 970']) assert.ok(together.includes(`translate(${spot})`), spot)
})

drawing('has no slot on the face or the photo', () => {
  for (const pose of poses) {
    for (const [name, { x, y, scale }] of Object.entries(slots[pose])) {
      const face = faces[pose]
      const inFront = name === 'front' || name === 'middle'
      assert.ok(!inFront || y - 260 * scale > face.y, `${pose} ${name}`)
      assert.ok(!inFront || x + 110 * scale < 817, `${pose} ${name}`)
    }
  }
})

/** Mean difference between two pictures, out of 255. */
async function gapBetween(one: string, other: string): Promise<number> {
  const [a, b] = await Promise.all(
    [one, other].map((document) => sharp(Buffer.from(document)).resize(128).removeAlpha().raw().toBuffer()),
  )
  return (
    (a ?? Buffer.alloc(0)).reduce((sum, byte, index) => sum + Math.abs(byte - (b?.[index] ?? 0)), 0) / (a?.length ?? 1)
  )
}

for (const where of ['garden', 'room', 'car']) {
  drawing(`shows rain, snow and night in a ${where}`, async () => {
    const sunny = draw({ ...plain, place: where, props: ['window'] })
    const least = where === 'garden' ? 12 : 2
    for (const change of [{ weather: 'rain' }, { weather: 'snow' }, { time_of_day: 'night' }]) {
      const gap = await gapBetween(sunny, draw({ ...plain, place: where, props: ['window'], ...change }))
      assert.ok(gap > least, `${JSON.stringify(change)}: ${gap}`)
    }
  })
}

drawing.run()
