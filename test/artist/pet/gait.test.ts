// run: draws
import { readFile } from 'node:fs/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { drawPose } from '../../../src/artist/draw-pose.js'
import { readLook } from '../../../src/artist/look.js'
import { type Foot, gaits, stepAt, strideOf } from '../../../src/artist/pet/gait.js'
import { running } from '../../../src/artist/pet/poses/poses.js'
import { walking } from '../../../src/artist/pet/poses/walking.js'
import { farGround, ground, type PosedPet } from '../../../src/artist/pet/stance.js'

const gait = suite('gait')
const stances = { walking, running }
/** In the order of a stance's legs. */
const feet: readonly Foot[] = ['farHind', 'farFore', 'nearHind', 'nearFore']
const pets = (['dog', 'cat'] as const).map((species): PosedPet => {
  const traits = {
    ears: 'pricked',
    tail: 'slim',
    pattern: 'plain',
    fluffy: false,
    socks: false,
    bib: false,
    blaze: false,
    brows: false,
  } as const
  return { species, traits }
})
const moments = 240

for (const pose of ['walking', 'running'] as const) {
  const travel = strideOf(gaits[pose]) * gaits[pose].cycles

  for (const pet of pets) {
    gait(`the feet of a ${pose} ${pet.species} on the ground move with it`, () => {
      let planted = 0
      for (let index = 0; index < moments; index += 1) {
        const [now, next] = [index / moments, (index + 1) / moments]
        const [before, after] = [stances[pose](pet, now), stances[pose](pet, next)]
        for (const [leg, foot] of feet.entries()) {
          const [from, to] = [before.legs[leg]?.paw.at, after.legs[leg]?.paw.at]
          assert.ok(from && to)
          if (!stepAt(gaits[pose], foot, now).planted || !stepAt(gaits[pose], foot, next).planted) continue
          planted += 1
          const slide = to.x - from.x + travel / moments
          assert.ok(Math.abs(slide) < 0.05, `${foot} slides ${slide} pixels at ${now}`)
          assert.ok(
            Math.abs(from.y - (before.legs[leg]?.near ? ground : farGround)) < 0.05,
            `${foot} leaves the ground at ${now}`,
          )
        }
      }
      assert.ok(planted > moments * gaits[pose].duty * 3, 'too few steps were checked')
    })

    gait(`no foot of a ${pose} ${pet.species} sinks into the ground or jumps`, () => {
      for (let index = 0; index < moments; index += 1) {
        const [before, after] = [stances[pose](pet, index / moments), stances[pose](pet, (index + 1) / moments)]
        for (const [leg, { paw }] of before.legs.entries()) {
          const to = after.legs[leg]?.paw.at
          assert.ok(to && paw.at.y <= ground + 0.05, `at ${index / moments}: ${paw.at.y}`)
          assert.ok(Math.hypot(to.x - paw.at.x, to.y - paw.at.y) < 40, `at ${index / moments}`)
        }
      }
    })
  }

  for (const { species } of pets) {
    gait(`the near ground moves as fast as the feet of a ${pose} ${species}`, async () => {
      const look = await readLook(await readFile(`fixtures/photos/${species}.jpg`), species)
      const offsetAt = (phase: number) => {
        const places = [...drawPose(look, pose, phase).matchAll(/href="#near" x="([^"]+)"/g)].map(([, x]) => Number(x))
        return { first: places[0] ?? Number.NaN, tile: (places[1] ?? 0) - (places[0] ?? 0) }
      }
      const start = offsetAt(0)
      for (const phase of [0.01, 0.2, 0.5, 0.83]) {
        const { first, tile } = offsetAt(phase)
        const missing = (first - start.first + travel * phase) / tile
        assert.ok(Math.abs(missing - Math.round(missing)) < 0.01, `at ${phase}: ${first}`)
      }
    })
  }
}

gait('walks in four beats and leaps when running', () => {
  const onGround = (pose: 'walking' | 'running') =>
    Array.from(
      { length: moments },
      (_, index) => feet.filter((foot) => stepAt(gaits[pose], foot, index / moments).planted).length,
    )
  assert.ok(Math.min(...onGround('walking')) >= 2)
  assert.is(Math.min(...onGround('running')), 0)
})

gait.run()
