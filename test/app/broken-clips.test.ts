// run: takes 9 s, fleet
import { chmodSync, writeFileSync } from 'node:fs'
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
/** An app whose animations are made by a model that delivers `clip`. */
async function startClipApp(clip: Buffer, variables: Record<string, string> = {}) {
  const place = openTemporaryFolder()
  const upstream = await startUpstream(bytedance, { clip })
  const model = {
    model: 'bytedance:dreamina-seedance-2-0-260128',
    baseUrl: upstream.baseUrl,
    price: '0.05usd/second',
  }
  const models = { 'svc-avatar': 'stub', 'svc-animation': model }
  writeFileSync(join(place.folder, 'svc.config.json'), JSON.stringify({ models }))
  const app = await startMediaApp({ ARK_API_KEY: upstream.key, ...variables }, place.folder)
  return {
    upstream,
    async makeSitting() {
      const avatar = await app.makeAvatar({ pose: 'sitting' })
      return app.makeAnimation(avatar.task_id)
    },
    async close() {
      await app.close()
      await upstream.close()
      place.close()
    },
  }
}

const rows: readonly (readonly [name: string, clip: Buffer])[] = [
  ['sound only', silent],
  ['a cut index', buildMp4(8).subarray(0, -40)],
]
for (const [name, clip] of rows) {
  clips(`a clip with ${name} fails its pose, is booked and leaves no file`, async () => {
    const { upstream, makeSitting, close } = await startClipApp(clip)
    const animation = await makeSitting()
    const { status, error_code, mp4_cos_key, webp_cos_key } = animation.images.sitting
    assert.equal([animation.status, status, error_code], ['failed', 'failed', 'provider_error'])
    assert.equal([mp4_cos_key, webp_cos_key], [null, null])
    assert.is(upstream.count('buy'), 1)
    await close()
  })
}

clips('a clip whose decoder is killed twice gets its WebP in another attempt, and is bought once', async () => {
  const place = openTemporaryFolder()
  const picture = `printf 'P6\\n2 2\\n255\\n123456789abc'`
  const runs = join(place.folder, 'runs')
  const kill = `echo >> '${runs}'; test $(wc -l < '${runs}') -gt 2 || kill -9 $$`
  const decoder = place.write('ffmpeg', `#!/bin/sh\n${kill}\n${picture}\n${picture}\n`)
  chmodSync(decoder, 0o755)
  const { upstream, makeSitting, close } = await startClipApp(buildMp4(8), { FFMPEG_PATH: decoder })
  const { status, images } = await makeSitting()
  assert.is(status, 'success')
  assert.ok(images.sitting.webp_cos_key.endsWith('.webp') && images.sitting.mp4_cos_key.endsWith('.mp4'))
  assert.equal([upstream.count('buy'), upstream.count('download')], [1, 2])
  await close()
  place.close()
})

clips.run()
