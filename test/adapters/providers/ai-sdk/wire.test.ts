import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { clipCases, pictureCases } from '../../../helpers/upstreams/index.js'
import { openBench } from './bench.js'

const wire = suite('models over HTTP')

for (const one of [...pictureCases, ...clipCases]) {
  wire(`${one.name}: buys once and delivers`, async () => {
    const bench = await openBench(one)
    const { upstream, memos, entries } = bench
    const made = await bench.attempt()
    assert.equal(made.purchase, { quantity: 1, costMicros: 40_000 })
    if ('image' in made) {
      assert.is(made.image.contentType, 'image/png')
      assert.equal(Buffer.from(made.image.bytes), upstream.picture)
    } else {
      assert.equal(Buffer.from(made.mp4 ?? []), upstream.clip)
      assert.is(made.webp, null)
      assert.is(made.durationSeconds, 8)
    }
    assert.equal(entries, [])
    assert.is(upstream.count('buy'), 1)
    assert.is(memos.length, one.isDirect ? 1 : 2)
    const text = JSON.stringify(memos)
    for (const secret of [upstream.key, '://', 'ignature', 'base64', 'sitting']) {
      assert.not.ok(text.includes(secret), text)
    }
    await bench.close()
  })
}

wire.run()
