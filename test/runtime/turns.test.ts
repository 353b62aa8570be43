import { createHash, randomBytes } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { digestInTurns, joinInTurns } from '../../src/runtime/turns.js'
import { countTurns } from '../helpers/count-turns.js'

const turns = suite('turns of the main loop')
const mebibytes = 8
const file = randomBytes(mebibytes << 20)

for (const pieceBytes of [1000, 64 << 10, 1 << 20]) {
  turns(`joins a file of pieces of ${pieceBytes} bytes, a mebibyte in each turn`, async () => {
    const pieces: Buffer[] = []
    for (let at = 0; at < file.length; at += pieceBytes) pieces.push(file.subarray(at, at + pieceBytes))
    const [whole, count] = await countTurns(joinInTurns(pieces))
    assert.ok(whole.equals(file))
    assert.ok(count >= mebibytes - 1, `${count} turns`)
  })
}

turns('joins a small file at once', async () => {
  const [whole, count] = await countTurns(joinInTurns([Buffer.from('a'), Buffer.from('bc')]))
  assert.equal([String(whole), count], ['abc', 0])
})

turns('digests a mebibyte in each turn', async () => {
  const [hash, count] = await countTurns(digestInTurns(createHash('md5'), file))
  assert.is(hash.digest('hex'), createHash('md5').update(file).digest('hex'))
  assert.ok(count >= mebibytes - 1, `${count} turns`)
})

turns.run()
