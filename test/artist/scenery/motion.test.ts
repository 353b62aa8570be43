// run: draws
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { passing, row, type Thing } from '../../../src/artist/scenery/kit.js'

const motion = suite('motion')
const things: Thing[] = [
  [20, () => '<near/>'],
  [900, () => '<far/>'],
]
const still = { phase: 0, travel: 0 }
const placesOf = (drawing: string) =>
  [...drawing.matchAll(/<use href="#things" x="([^"]+)"/g)].map(([, x]) => Number(x))

motion('draws each thing of a still picture once', () => {
  assert.is(row(still, 'things', 1, things), '<near/><far/>')
})

motion('repeats only the things of the first part of a moving row', () => {
  const drawing = row({ phase: 0.3, travel: 512 }, 'things', 1, things)
  assert.ok(drawing.includes('<near/>') && !drawing.includes('<far/>'))
})

for (const [travel, speed] of [
  [512, 0.75],
  [512, 1],
  [2160, 0.35],
  [2160, 1],
] as const) {
  motion(`fills the picture at ${speed} times a travel of ${travel}, and ends as it starts`, () => {
    const at = (phase: number) => placesOf(row({ phase, travel }, 'things', speed, things))
    for (const phase of [0, 0.1, 0.5, 0.99]) {
      const places = at(phase)
      const tile = (places[1] ?? 0) - (places[0] ?? 0)
      assert.ok((places[0] ?? 1) <= 0 && (places.at(-1) ?? 0) + tile >= 1024, `${places} at ${phase}`)
      const tiles = (travel * speed) / tile
      assert.ok(Math.abs(tiles - Math.round(tiles)) < 0.01, `${tiles} tiles`)
    }
    assert.equal(at(1), at(0))
  })
}

motion('rounds the speed of a pattern to whole tiles', () => {
  const at = (phase: number) => placesOf(passing({ phase, travel: 2160 }, 'things', 512, 0.85, ''))
  assert.equal(at(0.125), at(0.125 + 0.25))
})

motion.run()
