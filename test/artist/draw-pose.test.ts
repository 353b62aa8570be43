// run: draws
import sharp from 'sharp'
import { suite } from 'uvu'
import { drawPose } from '../../src/artist/draw-pose.js'
import { readLook } from '../../src/artist/look.js'
import { poses, stillPhase } from '../../src/artist/pet/poses/poses.js'
import { requireSound, requireWellFormed } from '../helpers/artwork.js'

const drawing = suite('draw-pose')
const species = ['dog', 'cat'] as const

/** Unusual photos. */
const oddPhotos: readonly (readonly [string, () => Promise<Buffer>])[] = [
  ['of one pixel', () => plain('#7f3f1f', 1, 1).jpeg().toBuffer()],
  ['that is a thin strip', () => plain('#c0ffee', 100, 3).jpeg().toBuffer()],
  ['that is all black', () => plain('#000').jpeg().toBuffer()],
  ['that is all white', () => plain('#fff').jpeg().toBuffer()],
  ['that is all magenta', () => plain('#f0f').jpeg().toBuffer()],
  ['of hard noise', () => noise(256)],
  ['with transparency', () => plain('#f000', 300, 300, 4).png().toBuffer()],
  ['in gray scale', () => plain('#777').greyscale().jpeg().toBuffer()],
]

function plain(background: string, width = 300, height = 300, channels: 3 | 4 = 3) {
  return sharp({ create: { width, height, channels, background } })
}

function noise(side: number): Promise<Buffer> {
  const bytes = Uint8Array.from({ length: side * side * 3 }, (_, index) => ((index * 2654435761) >>> 13) & 255)
  return sharp(bytes, { raw: { width: side, height: side, channels: 3 } })
    .jpeg()
    .toBuffer()
}

/** One pose of each species from each photo, which changes only values of attributes. The parser starts once for all. */
const chosen: string[] = []

for (const [index, [name, paint]] of oddPhotos.entries()) {
  drawing(`draws sound documents from a photo ${name}`, async () => {
    const photo = await paint()
    const looks = await Promise.all(species.map((each) => readLook(photo, each)))
    const documents = looks.flatMap((look) => poses.map((pose) => drawPose(look, pose, stillPhase[pose])))
    documents.forEach(requireSound)
    chosen.push(...documents.filter((_, at) => at % poses.length === index % poses.length))
  })
}

drawing('draws well-formed documents from all of them', () => requireWellFormed(chosen))

drawing.run()
