import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { chooseEncoding } from '../../../src/server/files/static-file.js'

const choosing = suite('Accept-Encoding')

const rows: readonly (readonly [header: string | null, chosen: string | undefined])[] = [
  [null, undefined],
  ['', undefined],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['GZIP;Q=1', 'gzip'],
  ['br;q=0.5, gzip', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0, gzip;q=0.000', undefined],
  ['gzip;q=0.001', 'gzip'],
  ['*', 'br'],
  ['br;q=0, *', 'gzip'],
  ['*;q=0', undefined],
  ['gzip, *;q=0', 'gzip'],
  ['identity', undefined],
  ['identity;q=0.5, gzip', 'gzip'],
  ['identity, gzip;q=0.5', undefined],
  ['identity;q=0, gzip;q=0.1', 'gzip'],
  ['identity;q=0', undefined],
  ['deflate, zstd', undefined],
  ['br;q=2', undefined],
  ['br;q=much, gzip;q=0.2', 'gzip'],
  [' , ;q=1, br ; level=4 ; q=0.3', 'br'],
]

for (const [header, chosen] of rows) {
  choosing(`answers ${JSON.stringify(header)} with ${chosen ?? 'the plain content'}`, () => {
    assert.is(chooseEncoding(header, ['gzip', 'br']), chosen)
  })
}

choosing('chooses only a coding that is available', () => {
  assert.is(chooseEncoding('br, gzip', ['gzip']), 'gzip')
  assert.is(chooseEncoding('br, gzip', []), undefined)
})

choosing.run()
