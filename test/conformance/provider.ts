import sharp from 'sharp'
import type { Test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Provider, ProviderError } from '../../src/ports/provider.js'
import { buildCall, buildClipRequest, buildPictureRequest, makePhoto } from '../helpers/provider-calls.js'

export interface ProviderKind {
  readonly open: () => Provider
  /** Returns a provider that refuses every request. */
  readonly openFailing: () => Provider
}

/** Adds to `suite` the tests that every provider passes. */
export function testProvider(suite: Test, { open, openFailing }: ProviderKind): void {
  let provider: Provider
  suite.before(() => {
    provider = open()
  })
  suite.after(() => provider.close())

  let clip: Promise<Awaited<ReturnType<Provider['generateClip']>>> | undefined
  /** Makes a clip once, for all tests. */
  const getClip = async () => {
    const photo = await makePhoto()
    clip ??= provider.generateClip(buildClipRequest(photo), buildCall())
    return clip
  }

  suite('makes a picture of the type that it names', async () => {
    const { image, purchase } = await provider.generatePicture(buildPictureRequest(await makePhoto()), buildCall())
    const { info } = await sharp(image.bytes).raw().toBuffer({ resolveWithObject: true })
    const { format } = await sharp(image.bytes).metadata()
    assert.is(`image/${format}`, image.contentType)
    assert.ok(info.width >= 512 && info.height >= 512, `${info.width} x ${info.height} pixels`)
    assertPurchase(purchase)
  })

  suite('makes a clip that is an MP4 file, an animated WebP file or both', async () => {
    const { mp4, webp, durationSeconds, purchase } = await getClip()
    assert.ok(mp4 !== null || webp !== null)
    if (mp4 !== null) assert.is(Buffer.from(mp4.subarray(4, 8)).toString(), 'ftyp')
    if (webp !== null) {
      const { format, pages = 1 } = await sharp(webp, { animated: true }).metadata()
      assert.is(format, 'webp')
      assert.ok(pages > 1, `${pages} pages`)
    }
    assert.ok(Number.isInteger(durationSeconds) && durationSeconds >= 1)
    assertPurchase(purchase)
  })

  suite('gives up with the reason of the signal', async () => {
    const photo = await makePhoto()
    const controller = new AbortController()
    const reason = new Error('the lease is lost')
    const call = buildCall({ signal: controller.signal })
    const clip = provider.generateClip(buildClipRequest(photo), call).catch((error) => error)
    setImmediate(() => controller.abort(reason))
    assert.is(await clip, reason)
    assert.is(await provider.generatePicture(buildPictureRequest(photo), call).catch((error) => error), reason)
  })

  suite('fails with ProviderError, of a code and a sentence', async () => {
    const failing = openFailing()
    const photo = await makePhoto()
    const attempts = [
      failing.generatePicture(buildPictureRequest(photo), buildCall()),
      failing.generateClip(buildClipRequest(photo), buildCall()),
    ]
    for (const error of await Promise.all(attempts.map((attempt) => attempt.catch((reason) => reason)))) {
      assert.instance(error, ProviderError)
      assert.match(error.code, /^[a-z_]+$/)
      assert.match(error.message, /^[A-Z].*\.$/)
    }
    await failing.close()
  })

  suite('closes twice, and takes nothing more', async () => {
    const other = open()
    await other.close()
    await other.close()
    const error = await other
      .generatePicture(buildPictureRequest(await makePhoto()), buildCall())
      .catch((reason) => reason)
    assert.instance(error, ProviderError)
    assert.is(error.wire, 'not_sent')
  })
}

function assertPurchase({ quantity, costMicros }: { quantity: number; costMicros: number }): void {
  assert.ok(quantity > 0)
  assert.ok(Number.isInteger(costMicros) && costMicros >= 0)
}
