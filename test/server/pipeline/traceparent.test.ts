import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readTraceparent } from '../../../src/server/pipeline/request-id.js'

const traces = suite('traceparent')
const ids = '0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331'
const headers: readonly (readonly [what: string, header: string | null, read: string | undefined])[] = [
  ['no header', null, undefined],
  ['version 00', `00-${ids}-01`, `00-${ids}-01`],
  ['a later version', `cc-${ids}-00`, `00-${ids}-00`],
  ['a later version with more parts', `cc-${ids}-01-more`, `00-${ids}-01`],
  ['version 00 with more parts', `00-${ids}-01-more`, undefined],
  ['version ff', `ff-${ids}-01`, undefined],
  ['capital letters', `00-${ids.toUpperCase()}-01`, undefined],
  ['an empty trace ID', `00-${'0'.repeat(32)}-b7ad6b7169203331-01`, undefined],
  ['an empty span ID', `00-0af7651916cd43dd8448eb211c80319c-${'0'.repeat(16)}-01`, undefined],
  ['another text', 'trace', undefined],
]
for (const [what, header, read] of headers) traces(`reads ${what}`, () => assert.is(readTraceparent(header), read))
traces.run()
