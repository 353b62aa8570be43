// run: alone, draws

import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createDrawingPool, createStubProvider, startDrawer } from '../../../../src/adapters/providers/stub/provider.js'
import { buildCall, buildPictureRequest } from '../../../helpers/provider-calls.js'
import { reportSkip } from '../../../helpers/skip.js'

const processes = suite('stub provider: processes')
const bytes = readFileSync(new URL('../../../../fixtures/photos/dog.jpg', import.meta.url))
const photo = { bytes, contentType: 'image/jpeg' } as const

processes('loads the libraries for drawing only in other processes', async () => {
  const provider = createStubProvider({ delayMs: 0, fail: [] })
  await provider.generatePicture(buildPictureRequest(photo), buildCall())
  await provider.close()
  if (!existsSync('/proc/self/maps')) return reportSkip('the libraries of a process are only read from /proc')
  assert.not.match(readFileSync('/proc/self/maps', 'utf8'), /libvips/)
})

processes('limits the memory of a drawing process', async () => {
  if (process.platform !== 'linux') return reportSkip('only Linux limits the memory of a process')
  const child = await startDrawer(5)
  await once(child, 'message')
  const limits = readFileSync(`/proc/${child.pid}/limits`, 'utf8')
  child.kill('SIGKILL')
  await once(child, 'exit')
  assert.match(limits, /Max data size +1073741824 /)
})

for (const [title, ofServer, ofDrawing] of [
  ['draws at a lower priority than the server has', 0, 5],
  ['keeps the priority of a server that was started with nice', 15, 15],
] as const) {
  processes(title, async () => {
    // Only root may go back to the priority of before.
    if (process.getuid?.() !== 0) return reportSkip(`${title}: only root may raise a priority`)
    const own = getPriority()
    setPriority(ofServer)
    const child = await startDrawer(5)
    setPriority(own)
    await once(child, 'message')
    // libvips draws in threads that those of Node start, and that inherit their priority.
    const threads = process.platform === 'linux' ? readdirSync(`/proc/${child.pid}/task`) : [child.pid]
    const found = new Set(threads.map((thread) => getPriority(Number(thread))))
    child.kill('SIGKILL')
    await once(child, 'exit')
    assert.equal([...found], [ofDrawing])
  })
}

processes('draws a picture while a clip is drawn, before the clips that wait', async () => {
  const pool = createDrawingPool(1, startDrawer)
  const look = await pool.run({ kind: 'look', input: { photo: bytes, species: 'dog' } })
  const clips = [1, 2].map(() => pool.run({ kind: 'clip', input: { look, pose: 'lying' } }))
  const [, second] = clips.map((clip) => clip.then(() => 'clip').catch(() => 'closed'))
  const picture = pool.run({ kind: 'picture', input: { look, pose: 'lying', backdrop: undefined } })
  assert.is(await Promise.race([second, picture.then(() => 'picture')]), 'picture')
  await pool.close()
  assert.is(await second, 'closed')
})

processes.run()
