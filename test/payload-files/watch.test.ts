import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { watchPaths } from '../../src/commands/insight/render.js'
import { isSvcError } from '../../src/errors.js'
import { openTemporaryFolder } from '../helpers/temporary.js'

const watches = suite('watch paths')
const place = openTemporaryFolder()
watches.after(() => place.close())

/** Watches an argument; writes each file after the change before it was reported. */
async function changeEach(arg: string, files: readonly string[]): Promise<void> {
  const stop = new AbortController()
  const left = [...files]
  const onChange = async () => {
    const next = left.shift()
    if (next === undefined) stop.abort()
    else setImmediate(() => place.write(next, '{}'))
  }
  await watchPaths([arg], onChange, stop.signal)
}

const cases: readonly (readonly [arg: string, files: readonly string[]])[] = [
  ['one/*.json', ['one/new.json', 'one/newer.json']],
  ['two/**/*.json', ['two/in/new.json', 'two/in/new.json']],
  ['three', ['three/new.json', 'three/in/new.json']],
  ['four/later.json', ['four/later.json', 'four/later.json']],
]
for (const [arg, files] of cases) {
  watches(`reports existing and new files of ${arg}`, async () => {
    place.write(`${arg.split('/')[0]}/in/old.json`, '{}')
    await changeEach(join(place.folder, arg), files)
  })
}

for (const arg of ['none/**/*.json', 'none/a.json']) {
  watches(`rejects if the folder of ${arg} does not exist, and does not call onChange`, async () => {
    let renders = 0
    const onChange = async () => {
      renders++
    }
    const error: unknown = await watchPaths([join(place.folder, arg)], onChange, new AbortController().signal).catch(
      (reason) => reason,
    )
    assert.ok(isSvcError(error), String(error))
    assert.match(error.message, /none cannot be watched: no such file or folder\.$/)
    assert.is(renders, 0)
  })
}

watches('rejects with the error of onChange', async () => {
  const onChange = () => Promise.reject(new Error('broken'))
  const watching = watchPaths([place.folder], onChange, new AbortController().signal)
  assert.match(String(await watching.catch((reason) => reason)), /broken/)
})

watches.run()
