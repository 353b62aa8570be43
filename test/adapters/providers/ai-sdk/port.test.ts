import { suite } from 'uvu'
import { createAiSdkProvider } from '../../../../src/adapters/providers/ai-sdk/provider.js'
import type { Provider } from '../../../../src/ports/provider.js'
import { testProvider } from '../../../conformance/provider.js'
import { buildSettings, findCase } from '../../../helpers/upstreams/index.js'
import { startUpstream } from '../../../helpers/upstreams/upstream.js'
import { testTimeouts } from './timeouts.js'

const parts = { log: { write: () => {} }, timeouts: testTimeouts }

/** Combines a provider of pictures and one of clips, because the port's suite needs both. */
function join(pictures: Provider, clips: Provider): Provider {
  return {
    ...pictures,
    videoModel: clips.videoModel,
    generateClip: (request, call) => clips.generateClip(request, call),
    async close() {
      await Promise.all([pictures.close(), clips.close()])
    },
  }
}

// Opened here because the port's suite opens its providers at once. The other files try every vendor.
const [picture, clip] = [findCase('replicate image'), findCase('google video')]
const [ofPictures, ofClips] = [await startUpstream(picture.double), await startUpstream(clip.double)]
const open = async (key = ofPictures.key) =>
  join(
    await createAiSdkProvider(buildSettings(picture, { ...ofPictures, key }), parts),
    await createAiSdkProvider(buildSettings(clip, { ...ofClips, key }), parts),
  )
const opened = [await open(), await open()]
const failing = await open('a-key-that-nobody-knows')
const port = suite('real models: provider port')
testProvider(port, { open: () => opened.shift() as Provider, openFailing: () => failing })
port.after(async () => {
  await Promise.all([ofPictures, ofClips].map((upstream) => upstream.close()))
})
port.run()
