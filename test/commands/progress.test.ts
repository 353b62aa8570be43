import { PassThrough } from 'node:stream'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startProgress } from '../../src/commands/validate/progress.js'

const progress = suite('validate progress')

/** A stream that ora takes for a terminal, and what was written to it. */
function openTerminal() {
  let written = ''
  const stream = Object.assign(new PassThrough(), {
    isTTY: true,
    columns: 80,
    cursorTo: () => true,
    clearLine: () => true,
    moveCursor: () => true,
  })
  stream.on('data', (chunk) => {
    written += chunk
  })
  return { stream: stream as unknown as NodeJS.WriteStream, written: () => written }
}

progress('says how many payloads were checked, and ends', () => {
  const { stream, written } = openTerminal()
  const line = startProgress(stream)
  line.tell(12_000)
  line.stop()
  assert.match(written(), '12,000 payloads checked')
})

progress.run()
