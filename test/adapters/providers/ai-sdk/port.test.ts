import { suite } from 'uvu'
import { createAiSdkProvider } from '../../../../src/adapters/providers/ai-sdk/provider.js'
import type { Provider } from '../../../../src/ports/provider.js'
import { testProvider } from '../../../conformance/provider.js'
import { buildSettings, findCase, type ModelCase } from '../../../helpers/upstreams/index.js'
import { startUpstream, type Upstream } from '../../../helpers/upstreams/upstream.js'
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

/** Pictures in the response with clips that are ordered, and pictures that are ordered too. The other files try every vendor. */
const pairs = [
  ['google image', 'google video'],
  ['replicate image', 'replicate video'],
] as const

for (const names of pairs) {
  const [picture, clip] = names.map(findCase) as [ModelCase, ModelCase]
  // Opened here because the port's suite opens its providers at once.
  const upstreams = await Promise.all([picture, clip].map(({ double }) => startUpstream(double)))
  const [ofPictures, ofClips] = upstreams as [Upstream, Upstream]
  const open = async (key = ofPictures.key) =>
    join(
      await createAiSdkProvider(buildSettings(picture, { ...ofPictures, key }), parts),
      await createAiSdkProvider(buildSettings(clip, { ...ofClips, key }), parts),
    )
  const opened = [await open(), await open()]
  const failing = await open('a-key-that-nobody-knows')
  const port = suite(`${names.join(' and ')}: provider port`)
  testProvider(port, {
    open: () => opened.shift() as Provider,
    openFailing: () => failing,
    deterministic: false,
  })
  port.after(async () => {
    await Promise.all(upstreams.map((upstream) => upstream.close()))
  })
  port.run()
}
