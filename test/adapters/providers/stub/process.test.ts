import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createStubProvider, startDrawer } from '../../../../src/adapters/providers/stub/provider.js'
import { buildCall, buildClipRequest, buildPictureRequest } from '../../../helpers/provider-calls.js'
import { reportSkip } from '../../../helpers/skip.js'

const processes = suite('stub provider: processes')
const bytes = readFileSync(new URL('../../../../fixtures/photos/dog.jpg', import.meta.url))
const photo = { bytes, contentType: 'image/jpeg' } as const

processes('loads the libraries for drawing only in other processes', async () => {
  const provider = createStubProvider({ delayMs: 0, fail: [] })
  await provider.generatePicture(buildPictureRequest(photo), buildCall())
  await provider.generateClip(buildClipRequest(photo), buildCall())
  await provider.close()
  if (!existsSync('/proc/self/maps')) return reportSkip('the libraries of a process are only read from /proc')
  assert.not.match(readFileSync('/proc/self/maps', 'utf8'), /libvips/)
})

processes('limits the memory of a drawing process', async () => {
  if (process.platform !== 'linux') return reportSkip('only Linux limits the memory of a process')
  const child = await startDrawer()
  child.send({ type: 'draw', request: { kind: 'look', input: { photo: bytes, species: 'dog' } } })
  await once(child, 'message')
  const limits = readFileSync(`/proc/${child.pid}/limits`, 'utf8')
  child.kill('SIGKILL')
  await once(child, 'exit')
  assert.match(limits, /Max data size +1073741824 /)
})

processes.run()
