// run: draws
import { fork } from 'node:child_process'
import sharp, { type Color } from 'sharp'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createPictureChecker } from '../../../src/adapters/photos/photo-reader.js'
import { isSvcError } from '../../../src/errors.js'
import { makeAnimatedWebp, makeHead } from '../../helpers/hostile-photos.js'
import { openTemporaryFolder } from '../../helpers/temporary.js'

const pictures = suite('picture checker')
const temporary = openTemporaryFolder()
const checker = createPictureChecker()
pictures.after(async () => {
  await checker.close()
  temporary.close()
})

/** A picture with a pet in its middle. */
function draw(width: number, height: number, background: Color, pet: Color) {
  const side = Math.floor(Math.min(width, height) / 2)
  const input = { create: { width: side, height: side, channels: 4, background: pet } } as const
  return sharp({ create: { width, height, channels: 4, background } }).composite([{ input }])
}
const draft = () => draw(400, 300, '#88aa88', '#a07850')
const clear = { r: 0, g: 0, b: 0, alpha: 0 }

const fine: readonly (readonly [string, () => Promise<Buffer>])[] = [
  ['an ordinary picture', () => draft().jpeg().toBuffer()],
  ['a panorama', () => draw(2000, 300, '#88aa88', '#a07850').png().toBuffer()],
  ['a small one', () => draw(64, 64, '#88aa88', '#a07850').png().toBuffer()],
  ['a white pet on a transparent background', () => draw(512, 512, clear, '#ffffff').webp().toBuffer()],
  ['a scene at night', () => draw(512, 512, '#050505', '#0c0c0c').png().toBuffer()],
  ['16 bits per channel', () => draft().toColorspace('rgb16').png().toBuffer()],
  ['a palette', () => draft().png({ palette: true }).toBuffer()],
  ['CMYK', () => draft().toColorspace('cmyk').jpeg().toBuffer()],
  ['a JPEG in many passes', () => draft().jpeg({ progressive: true }).toBuffer()],
  ['bytes after its end', async () => Buffer.concat([await draft().png().toBuffer(), Buffer.from('more')])],
]
for (const [what, make] of fine) {
  pictures(`takes ${what}`, async () => assert.is(await checker.check(await make()), undefined))
}

const refused: readonly (readonly [string, () => Promise<Buffer>, RegExp])[] = [
  ['a few bytes of a JPEG', async () => Buffer.from('ffd8ffe000104a464946', 'hex'), /^is damaged or cut off$/],
  ['half a PNG', async () => (await draft().png().toBuffer()).subarray(0, 500), /^is damaged or cut off$/],
  ['a blank picture', () => draw(512, 512, '#000', '#000').png().toBuffer(), /^shows nothing: it is of one color/],
  ['transparency alone', () => draw(512, 512, clear, clear).png().toBuffer(), /^shows nothing/],
  ['a page', async () => Buffer.from('<!doctype html><p>Not found'), /^is an? .*$/],
  ['too many pixels', async () => makeHead(8000, 6000), /^is 8000 × 6000 pixels, 48 million/],
  ['an animation', () => makeAnimatedWebp(2), /^is an animated WebP/],
]
for (const [what, make, expected] of refused) {
  pictures(`refuses ${what}`, async () => assert.match((await checker.check(await make())) ?? 'taken', expected))
}

const ends = [
  ['accepts a paid picture whose processes say nothing', '', 'accepted'],
  ['accepts a paid picture whose processes exit', 'process.exit(1)', 'accepted'],
  ['is unavailable if two processes of a picture are killed', "process.kill(process.pid, 'SIGKILL')", 'unavailable'],
] as const
for (const [title, answer, expected] of ends) {
  pictures(title, async () => {
    const file = temporary.write('child.cjs', `process.on('message', () => { ${answer} }); process.send('ready')`)
    let started = 0
    const start = async () => {
      started += 1
      return fork(file, { serialization: 'advanced', execArgv: [] })
    }
    const other = createPictureChecker({ start, ...(answer === '' && { deadlineMs: 200 }) })
    const outcome = await other.check(await draft().png().toBuffer()).then(
      (defect) => defect ?? 'accepted',
      (error) => (isSvcError(error) ? error.code : String(error)),
    )
    assert.equal([outcome, started], [expected, 2])
    await other.close()
  })
}

pictures.run()
