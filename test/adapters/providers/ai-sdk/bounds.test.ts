import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { findRefusal, readReason } from '../../../../src/adapters/providers/ai-sdk/reason.js'
import { readMp4Seconds } from '../../../../src/adapters/providers/ai-sdk/results.js'
import { buildMp4 } from '../../../helpers/upstreams/mp4.js'

const bounds = suite('bounds of what a vendor answers')
const long = 'model '.repeat(200_000)

const answers: Readonly<Record<string, () => string | undefined>> = {
  'an error': () => readReason({ error: { message: long } }).message,
  'an error of many details': () => readReason({ detail: [{ msg: long }] }).message,
  'a blocked prompt': () =>
    findRefusal({ promptFeedback: { blockReason: 'SAFETY', blockReasonMessage: long } })?.message,
  'an answer in words': () =>
    findRefusal({ candidates: [{ finishReason: 'STOP', content: { parts: [{ text: long }] } }] })?.message,
  'a withheld picture': () => findRefusal({ predictions: [{ raiFilteredReason: long }] })?.message,
}
for (const [what, read] of Object.entries(answers)) {
  bounds(`shortens the message of ${what} to 4,000 characters`, () => assert.is(read(), long.slice(0, 4000)))
}

/** Puts empty boxes between the first box of a clip and the rest. */
function insertBoxes(mp4: Buffer, count: number): Buffer {
  const start = mp4.readUInt32BE(0)
  const box = Buffer.from('\0\0\0\bfree', 'latin1')
  return Buffer.concat([mp4.subarray(0, start), ...Array.from({ length: count }, () => box), mp4.subarray(start)])
}

bounds('reads at most 1,000 boxes of a clip until its header', () => {
  const mp4 = buildMp4(5)
  assert.is(readMp4Seconds(insertBoxes(mp4, 900)), readMp4Seconds(mp4))
  assert.is(readMp4Seconds(insertBoxes(mp4, 1000)), undefined)
})

bounds.run()
