// run: draws
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { suite } from 'uvu'
import { drawPose } from '../../src/artist/draw-pose.js'
import { drawScene } from '../../src/artist/draw-scene.js'
import { type Look, readLook } from '../../src/artist/look.js'
import { poses } from '../../src/artist/pet/poses/poses.js'
import { propNames } from '../../src/artist/scenery/setting.js'
import type { Tail } from '../../src/artist/traits.js'
import { Backdrop } from '../../src/ports/backdrop.js'
import { assertGolden } from '../helpers/golden.js'

/**
 * The artist is frozen: its drawings are those that were approved. They were checked by eye, and for feet that do not slide, ground
 * without gaps, loops without seams, and props in their places. To change one, compare the sheets of `npm run contact-sheet`.
 */
const drawings = suite('drawings of the artist')
const { place, season, weather, time_of_day, ground } = Backdrop.properties
const moments = [0, 0.1, 1 / 3, 0.5, 0.77]
const tails: readonly Tail[] = ['curl', 'plume', 'short', 'slim']
const plain = { place: 'garden', season: 'summer', weather: 'sun', time_of_day: 'day', ground: 'grass', props: [] }

function listDrawings(look: Look): ReadonlyMap<string, readonly string[]> {
  const draw = (backdrop: object, pose: (typeof poses)[number] = 'sitting', of = look) =>
    drawScene(of, { pose, backdrop: { ...plain, ...backdrop } })
  const listed = new Map<string, readonly string[]>()
  for (const pose of poses) {
    const each = tails.map((tail): Look => ({ ...look, traits: { ...look.traits, tail } }))
    listed.set(
      `the moments of ${pose}`,
      each.flatMap((one) => moments.map((moment) => drawPose(one, pose, moment))),
    )
  }
  for (const where of place.enum) {
    const times = time_of_day.enum.flatMap((time) => weather.enum.map((sky) => ({ time_of_day: time, weather: sky })))
    const words = [...ground.enum.map((below) => ({ ground: below })), ...season.enum.map((part) => ({ season: part }))]
    listed.set(
      `the place ${where}`,
      [...words, ...times].map((change) => draw({ place: where, ...change })),
    )
  }
  for (const prop of propNames) {
    const spots = ['garden', 'room'].flatMap((where) =>
      poses.map((pose) => draw({ place: where, props: [prop] }, pose)),
    )
    listed.set(`the prop ${prop}`, spots)
  }
  const pets = ['asleep', 'curled', 'bow'].flatMap((pose) => [{ pose }, { pose, faces: 'left', x: 70, scale: 0.8 }])
  const several = [['ball', 'gift', 'bowl'], ['friend', 'bed'], ['fireplace'], ['balloons', 'wreath']]
  listed.set('places of the pet', [
    ...pets.flatMap((pet) => poses.map((pose) => draw({ pet }, pose))),
    ...several.map((props) => draw({ place: 'room', props, pet: { faces: 'left' } })),
  ])
  return listed
}

drawings('are the approved ones', async () => {
  const lines: string[] = []
  for (const species of ['dog', 'cat'] as const) {
    const { medallion: _, ...look } = await readLook(await readFile(`fixtures/photos/${species}.jpg`), species)
    for (const [name, documents] of listDrawings({ ...look, medallion: '' })) {
      const digest = createHash('sha256').update(documents.join('\n')).digest('hex').slice(0, 16)
      lines.push(`${digest}  ${species}: ${name}`)
    }
  }
  assertGolden('drawings.txt', `${lines.join('\n')}\n`)
})

drawings.run()
