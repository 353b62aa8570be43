import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startMediaApp } from '../helpers/media.js'
import { openTemporaryFolder } from '../helpers/temporary.js'
import { bytedance } from '../helpers/upstreams/bytedance.js'
import { buildMp4 } from '../helpers/upstreams/mp4.js'
import { startUpstream } from '../helpers/upstreams/upstream.js'

const clips = suite('broken clips of real models')

const silent = buildMp4(8)
silent.write('soun', silent.indexOf('vide'), 'latin1')
const rows: readonly (readonly [name: string, clip: Buffer])[] = [
  ['sound only', silent],
  ['a cut index', buildMp4(8).subarray(0, -40)],
]
for (const [name, clip] of rows) {
  clips(`a clip with ${name} fails its pose, is booked and leaves no file`, async () => {
    const place = openTemporaryFolder()
    const upstream = await startUpstream(bytedance, { clip })
    const model = {
      model: 'bytedance:dreamina-seedance-2-0-260128',
      baseUrl: upstream.baseUrl,
      price: '0.05usd/second',
    }
    const models = { 'svc-avatar': 'stub', 'svc-animation': model }
    writeFileSync(join(place.folder, 'svc.config.json'), JSON.stringify({ models }))
    const app = await startMediaApp({ ARK_API_KEY: upstream.key }, place.folder)
    const avatar = await app.makeAvatar({ pose: 'sitting' })
    const animation = await app.makeAnimation(avatar.task_id)
    const { status, error_code, mp4_cos_key, webp_cos_key } = animation.images.sitting
    assert.equal([animation.status, status, error_code], ['failed', 'failed', 'provider_error'])
    assert.equal([mp4_cos_key, webp_cos_key], [null, null])
    assert.is(upstream.count('buy'), 1)
    await app.close()
    await upstream.close()
    place.close()
  })
}

clips.run()
