// run: draws
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import sharp, { type Sharp } from 'sharp'
import * as assert from 'uvu/assert'
import { createStubProvider } from '../../src/adapters/providers/stub/provider.js'
import { stillPhase } from '../../src/artist/pet/poses/poses.js'
import { describeBrowser } from '../helpers/browser-suite.js'
import { buildCall, buildClipRequest } from '../helpers/provider-calls.js'

const photo = new URL('../../fixtures/photos/dog.jpg', import.meta.url)
const html = new URL('./playback.html', import.meta.url)
const side = 64

interface Context {
  server: Server
  page: Page
  picture: Uint8Array
}

const { described: playback, inBrowser } = describeBrowser<Context>('clips in Chromium')

playback.before(async (context) => {
  if (context.browser === undefined) return
  const request = buildClipRequest({ bytes: readFileSync(photo), contentType: 'image/jpeg' })
  const provider = createStubProvider({ delayMs: 0, fail: [] })
  const { mp4, webp } = await provider.generateClip(request, buildCall())
  context.picture = (await provider.generatePicture(request, buildCall())).image.bytes
  await provider.close()
  context.server = await serve({
    '/': ['text/html', readFileSync(html)],
    '/clip.mp4': ['video/mp4', mp4 ?? Buffer.of()],
    '/clip.webp': ['image/webp', webp ?? Buffer.of()],
  })
  context.page = await context.browser.newPage()
  await context.page.goto(`http://127.0.0.1:${(context.server.address() as AddressInfo).port}/`)
})

playback.after(({ server }) => void server?.close())

inBrowser('plays the MP4 in a loop', async ({ page }) => {
  const { frames, ...film } = (await page.evaluate('playAgain()')) as Record<string, number>
  assert.equal(film, { wraps: 1, duration: 2, videoWidth: 512, videoHeight: 512 })
  // A busy machine presents only some of the 24 to 48 frames.
  assert.ok((frames ?? 0) >= 6, `${frames} frames were presented`)
})

inBrowser('shows the picture of the pose in the MP4, in its colors', async ({ page, picture }) => {
  const moment = stillPhase.sitting * 2
  const shown = (await page.evaluate(`readFrame(${moment}, ${side})`)) as number[]
  assertAlike(shown, await readPixels(sharp(picture)))
})

inBrowser('decodes the WebP as 24 frames that repeat forever, 2 s in total', async ({ page }) => {
  const decoded = (await page.evaluate('decodeImage()')) as {
    frameCount: number
    repeats: boolean
    durations: number[]
  }
  assert.equal([decoded.frameCount, decoded.repeats], [24, true])
  assert.is(
    decoded.durations.reduce((sum, one) => sum + one, 0),
    2_000_000,
  )
})

inBrowser('shows the WebP as an image', async ({ page, picture }) => {
  const shown = (await page.evaluate(`readImage(${side})`)) as number[]
  assertAlike(shown, await readPixels(sharp(picture)))
})

playback.run()

/** Compares RGBA pixels read by a browser with RGB pixels. The pet moves slightly between the two. */
function assertAlike(shown: readonly number[], expected: Uint8Array): void {
  const sums = [0, 0, 0]
  let away = 0
  for (let pixel = 0; pixel < side * side; pixel++) {
    for (const channel of [0, 1, 2]) {
      const difference = (shown[pixel * 4 + channel] ?? 0) - (expected[pixel * 3 + channel] ?? 0)
      sums[channel] = (sums[channel] ?? 0) + difference
      away += Math.abs(difference)
    }
  }
  const shifts = sums.map((sum) => sum / side ** 2)
  assert.ok(Math.max(...shifts.map(Math.abs)) < 3, `the channels differ by ${shifts.join(', ')} overall`)
  assert.ok(away / side ** 2 / 3 < 6, `a pixel is off by ${away / side ** 2 / 3} on average`)
}

function readPixels(image: Sharp): Promise<Uint8Array> {
  return image.resize(side, side).removeAlpha().raw().toBuffer()
}

async function serve(files: Readonly<Record<string, readonly [type: string, bytes: Uint8Array]>>): Promise<Server> {
  const server = createServer(({ url = '' }, response) => {
    const [type, bytes] = files[url] ?? []
    response.writeHead(type === undefined ? 404 : 200, { 'content-type': type ?? 'text/plain' }).end(bytes)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return server
}
