// run: draws
import sharp from 'sharp'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readLook } from '../../src/artist/look.js'
import { labOfHex } from '../../src/artist/rig/oklab.js'
import { paintedPets, paintPhoto } from '../helpers/painted-photo.js'

const look = suite('look')

/** 0.02 is just visible, 0.2 is another color. */
function gapBetween(one: string, other: string): number {
  const [a, b] = [labOfHex(one), labOfHex(other)]
  return Math.hypot(a.l - b.l, a.a - b.a, a.b - b.b)
}

for (const [name, pet] of Object.entries(paintedPets)) {
  look(`draws a ${name} pet in its own color`, async () => {
    const { palette } = await readLook(await paintPhoto(pet), 'dog')
    // Extreme colors are drawn less extreme, so that shadow and light remain visible.
    assert.ok(gapBetween(palette.coat, pet.coat) < 0.14, `${palette.coat} is not ${pet.coat}`)
  })
}

look('finds the coat, not the grass around a small pet', async () => {
  const pet = paintedPets['fawn on much grass']
  assert.ok(pet)
  const { palette } = await readLook(await paintPhoto(pet, 0.25), 'dog')
  assert.ok(gapBetween(palette.coat, pet.coat) < 0.14, palette.coat)
})

look('gives a black and white pet white markings, and a spotted dog its spots', async () => {
  const { 'black and white': piebald, spotted } = paintedPets
  assert.ok(piebald && spotted)
  const black = await readLook(await paintPhoto(piebald), 'cat')
  assert.ok(black.traits.socks && black.traits.bib && !black.traits.brows)
  assert.ok(labOfHex(black.palette.pale).l > 0.85)
  assert.is((await readLook(await paintPhoto(spotted), 'dog')).traits.pattern, 'spots')
})

look('draws a gray pet, not a green one, for a photo of grass', async () => {
  const grass = await sharp({ create: { width: 300, height: 300, channels: 3, background: '#0a0' } })
    .jpeg()
    .toBuffer()
  const { a, b } = labOfHex((await readLook(grass, 'cat')).palette.coat)
  assert.ok(Math.hypot(a, b) < 0.03)
})

look.run()
