import { PassThrough } from 'node:stream'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startProgress } from '../../../src/commands/client/spinner.js'

const progress = suite('validate progress')

/** Creates a stream that ora takes for a terminal, and collects its output. */
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

progress('shows the number of checked payloads, and stops', () => {
  const { stream, written } = openTerminal()
  const line = startProgress(stream)
  line.update(12_000)
  line.stop()
  assert.match(written(), '12,000 payloads checked')
})

progress.run()
