// run: draws
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { lookAt } from '../../../src/artist/draw-scene.js'
import { drawnPose } from '../../../src/artist/pet/poses/poses.js'
import { sitting } from '../../../src/artist/pet/poses/sitting.js'
import { point, shift } from '../../../src/artist/rig/points.js'
import type { Traits } from '../../../src/artist/traits.js'

const gaze = suite('gaze')

const traits: Traits = {
  ...{ ears: 'pricked', tail: 'slim', pattern: 'plain', fluffy: false },
  ...{ socks: false, bib: false, blaze: false, brows: false },
}
const stance = sitting({ species: 'cat', traits }, 0)
const from = stance.head.at

const targets: readonly (readonly [where: string, dx: number, dy: number, turned: boolean, tilt: -1 | 1])[] = [
  ['down in front of it', 200, 300, false, 1],
  ['up in front of it', 200, -300, false, -1],
  ['down behind it', -300, 300, true, -1],
  ['up behind it', -300, -300, true, 1],
]
for (const [where, dx, dy, turned, tilt] of targets) {
  gaze(`turns head and eyes to a thing ${where}`, () => {
    const { head, face } = lookAt(stance, shift(from, dx, dy))
    assert.is(head.turned, turned)
    assert.ok((head.degrees - stance.head.degrees) * tilt > 2, `${head.degrees} degrees`)
    assert.ok((face.gaze?.x ?? 0) > 0)
    assert.is(Math.sign(face.gaze?.y ?? 0), Math.sign(dy))
  })
}

gaze('opens the eyes of a pet that looks', () => {
  const dozing = { ...stance, face: { ...stance.face, eyes: 0 } }
  assert.is(lookAt(dozing, point(900, 700)).face.eyes, 1)
})

gaze('replaces only those poses of requests that fit the pose of the scene', () => {
  assert.is(drawnPose('lying', 'curled'), 'curled')
  assert.is(drawnPose('sitting', 'curled'), 'sitting')
  assert.is(drawnPose('running', 'bow'), 'bow')
  assert.is(drawnPose('running', undefined), 'running')
})

gaze.run()
