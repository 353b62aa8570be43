// run: draws
import { readFile } from 'node:fs/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { drawScene, readSetting } from '../../src/artist/draw-scene.js'
import { type Look, readLook, type Species } from '../../src/artist/look.js'
import { readSceneLibrary } from '../../src/catalog/diary.js'
import { diaryVersions } from '../../src/media/diary-versions.js'
import { fitsSpecies } from '../../src/media/scenes.js'
import { requireSound, requireWellFormed } from '../helpers/artwork.js'

const drawing = suite('draw-scene')
const species = ['dog', 'cat'] as const
const samples = Object.fromEntries(
  await Promise.all(
    species.map(async (each) => [each, await readLook(await readFile(`fixtures/photos/${each}.jpg`), each)]),
  ),
) as Record<Species, Look>

const plain = { place: 'garden', season: 'summer', weather: 'sun', time_of_day: 'day', ground: 'grass', props: [] }
const draw = (backdrop: Readonly<Record<string, unknown>>, each: Species = 'dog') =>
  drawScene(samples[each], { pose: 'sitting', backdrop })

/** The scenes that versions share are drawn once. */
const drawn = new Map<string, string>()

for (const version of diaryVersions) {
  for (const each of species) {
    drawing(`draws every scene of ${version} for a ${each} according to its backdrop, in less than 50 kB`, () => {
      const scenes = readSceneLibrary(version).scenes.filter((scene) => fitsSpecies(scene, each))
      const drawings = scenes.map(({ scene_id: id, recommended_pose: pose, backdrop }) => {
        const { time, ...setting } = readSetting(backdrop)
        assert.equal({ ...setting, time_of_day: time }, { pet: {}, ...backdrop }, id)
        const key = JSON.stringify([each, pose, backdrop])
        const document = drawn.get(key) ?? drawScene(samples[each], { pose, backdrop })
        assert.ok(document.length < 50_000, `${id}: ${document.length} bytes`)
        return { key, document }
      })
      for (const { key, document } of drawings) {
        if (!drawn.has(key)) requireSound(document)
        drawn.set(key, document)
      }
      // Scenes must be distinguishable.
      assert.is(new Set(drawings.map(({ document }) => document)).size, drawings.length)
    })
  }
}

/** The parser takes longer than the drawings, which differ in the choice of the same parts. */
drawing('draws well-formed documents', () =>
  requireWellFormed([...drawn.values()].filter((_, index) => index % 4 === 0)),
)

drawing('ignores unknown words', () => {
  const odd = { place: 'moon', season: 7, weather: null, ground: ['lava'], props: ['toString', 'dragon', 3] }
  assert.is(draw(odd), draw({}))
  assert.is(draw({ ...plain, props: 'ball' }), draw(plain))
  requireSound(draw({}))
})

drawing.run()
