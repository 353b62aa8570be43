// run: takes 5 s, fleet
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Json, startMediaApp } from '../helpers/media.js'
import { openTemporaryFolder } from '../helpers/temporary.js'
import { bytedance } from '../helpers/upstreams/bytedance.js'
import { buildMp4 } from '../helpers/upstreams/mp4.js'
import { startUpstream } from '../helpers/upstreams/upstream.js'

const clips = suite('broken clips of real models')

const silent = buildMp4(8)
silent.write('soun', silent.indexOf('vide'), 'latin1')

clips(
  'fail their pose, are booked and leave no file; a killed decoder is tried again, without another purchase',
  async () => {
    const place = openTemporaryFolder()
    const upstream = await startUpstream(bytedance, { clip: buildMp4(8) })
    const model = { model: 'bytedance:seedance-2', baseUrl: upstream.baseUrl, price: '0.05usd/second' }
    place.write('svc.config.json', JSON.stringify({ models: { 'svc-avatar': 'stub', 'svc-animation': model } }))
    // The first two runs are killed.
    const picture = `printf 'P6\\n2 2\\n255\\n123456789abc'`
    const runs = join(place.folder, 'runs')
    const kill = `echo >> '${runs}'; test $(wc -l < '${runs}') -gt 2 || kill -9 $$`
    const decoder = place.write('ffmpeg', `#!/bin/sh\n${kill}\n${picture}\n${picture}\n`)
    chmodSync(decoder, 0o755)
    const app = await startMediaApp({ ARK_API_KEY: upstream.key, FFMPEG_PATH: decoder }, place.folder)
    const { task_id } = await app.makeAvatar({ pose: 'sitting' })

    upstream.plan('download', { bytes: silent })
    const failed = await app.makeAnimation(task_id)
    const { status, error_code, mp4_cos_key, webp_cos_key } = failed.images.sitting
    assert.equal([failed.status, status, error_code], ['failed', 'failed', 'provider_error'])
    assert.equal([mp4_cos_key, webp_cos_key], [null, null])
    assert.equal([upstream.count('buy'), upstream.count('download')], [1, 1])
    const { entries } = (await app.send('GET', '/_svc/usage?by=model')).body
    assert.is(entries.find((entry: Json) => entry.model === 'seedance-2').cost, 0.25)

    const made = await app.makeAnimation(task_id)
    assert.equal([made.status, made.duration_seconds], ['success', 8])
    assert.ok(made.images.sitting.webp_cos_key.endsWith('.webp') && made.images.sitting.mp4_cos_key.endsWith('.mp4'))
    assert.equal([upstream.count('buy'), upstream.count('download')], [2, 3])
    await app.close()
    await upstream.close()
    place.close()
  },
)

clips.run()
