// run: draws
import { readFile } from 'node:fs/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { lightPet, readSetting } from '../../../src/artist/draw-scene.js'
import { type Look, readLook } from '../../../src/artist/look.js'
import { drawnPose, stanceOf } from '../../../src/artist/pet/poses/poses.js'
import { labOfHex } from '../../../src/artist/rig/oklab.js'
import { kitOf, stageOf } from '../../../src/artist/scenery/kit.js'
import { readSceneLibrary } from '../../../src/catalog/diary.js'

const stage = suite<{ look: Look }>('stage and light of a pet')

stage.before(async (context) => {
  context.look = await readLook(await readFile('fixtures/photos/cat.jpg'), 'cat')
})

stage('leads from the picture back to the pet', () => {
  for (const pet of [{}, { faces: 'left' }, { faces: 'left', x: 70, scale: 0.8 }, { x: -160, scale: 1.1 }] as const) {
    const { toPicture, toPet } = stageOf(pet)
    const { x, y } = toPet(toPicture({ x: 700, y: 420 }))
    assert.equal([Math.round(x), Math.round(y)], [700, 420])
  }
})

stage('mirrors a pet that looks left, and places a small one farther away', () => {
  assert.equal(stageOf({ faces: 'left' }).toPicture({ x: 700, y: 800 }), { x: 324, y: 800 })
  assert.ok(stageOf({ scale: 0.8 }).toPicture({ x: 512, y: 800 }).y < 800)
})

for (const species of ['dog', 'cat'] as const) {
  stage(`keeps the tail of a ${species} in the picture in every scene`, ({ look }) => {
    for (const { scene_id: id, recommended_pose: requested, backdrop } of readSceneLibrary('V4.3').scenes) {
      const { pet } = readSetting(backdrop)
      for (const tail of ['slim', 'curl', 'plume', 'short'] as const) {
        const posed = { ...look, species, traits: { ...look.traits, tail } }
        for (const joint of stanceOf(posed, drawnPose(requested, pet.pose)).tail.joints) {
          const { x } = stageOf(pet).toPicture(joint)
          assert.ok(x > joint.radius && x < 1024 - joint.radius, `${id}: the ${tail} tail is at ${x}`)
        }
      }
    }
  })
}

stage('ignores a position that is not valid', () => {
  const pet = { pose: 'flying', faces: 'up', x: 4000, scale: '1' }
  assert.equal(readSetting({ pet }).pet, {})
  assert.equal(readSetting({ pet: 'left' }).pet, {})
})

const lit = (look: Look, backdrop: Readonly<Record<string, unknown>>) =>
  lightPet(kitOf(look, readSetting(backdrop), 'sitting'))

stage('changes nothing in plain daylight', ({ look }) => {
  assert.is(lit(look, { place: 'garden', weather: 'sun', time_of_day: 'day' }), look)
})

stage('darkens the coat at night, but not the eyes', ({ look }) => {
  const { palette, rim } = lit(look, { place: 'garden', time_of_day: 'night' })
  assert.ok(labOfHex(palette.coat).l < labOfHex(look.palette.coat).l - 0.05)
  assert.is(palette.iris, look.palette.iris)
  assert.is(rim?.from, 1)
})

stage('lights the side of the pet that is towards the fire', ({ look }) => {
  const backdrop = { place: 'room', props: ['fireplace'] }
  assert.is(lit(look, backdrop).rim?.from, -1)
  assert.is(lit(look, { ...backdrop, pet: { faces: 'left' } }).rim?.from, 1)
})

stage.run()
