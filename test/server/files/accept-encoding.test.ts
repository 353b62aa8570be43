import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { prefersGzip } from '../../../src/server/files/static-file.js'

const choosing = suite('Accept-Encoding')

const compressed = [
  ...['gzip, deflate, br, zstd', 'gzip', 'x-gzip', 'GZIP;Q=1', 'br;q=1, gzip;q=0.5', 'gzip;q=0.001', '*', 'br;q=0, *'],
  ...['gzip, *;q=0', 'identity;q=0.5, gzip', 'identity;q=0, gzip;q=0.1', ' , ;q=1, gzip ; level=4 ; q=0.3'],
]
const plain = [
  ...[null, '', 'gzip;q=0', 'br;q=0, gzip;q=0.000', '*;q=0', 'identity', 'identity, gzip;q=0.5', 'identity;q=0'],
  ...['deflate, br, zstd', 'gzip;q=2', 'gzip;q=much'],
]

for (const [answer, headers] of Object.entries({ compressed, plain })) {
  for (const header of headers) {
    choosing(`answers ${JSON.stringify(header)} with the ${answer} content`, () => {
      assert.is(prefersGzip(header), answer === 'compressed')
    })
  }
}

choosing.run()
