import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { settleLibrary, settleTask } from '../../src/media/status.js'
import type { TaskStatus, UnitKind, UnitStatus, UnitView } from '../../src/ports/tasks.js'

const status = suite('task status')

const files: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  avatar: { image: 'k' },
  animation: { webp: 'k', mp4: 'k' },
  diary: { picture: 'k' },
}

/** A unit of this status; `mp4` and `webp` are a clip with only that file. */
function toUnit(kind: UnitKind, what: UnitStatus | 'mp4' | 'webp'): UnitView {
  if (what === 'mp4' || what === 'webp')
    return { name: 'lying', status: 'success', output: { files: { [what]: 'k' } }, failure: null }
  const output = what === 'success' ? { files: files[kind] ?? {} } : null
  return { name: 'lying', status: what, output, failure: null }
}

const table: readonly (readonly [units: string, expected: TaskStatus])[] = [
  ['success', 'success'],
  ['success success success success', 'success'],
  ['failed', 'failed'],
  ['failed failed failed failed', 'failed'],
  ['success failed', 'partial_success'],
  ['failed success failed failed', 'partial_success'],
  ['pending', 'pending'],
  ['pending pending', 'pending'],
  ['processing pending', 'processing'],
  ['success pending', 'processing'],
  ['failed pending', 'processing'],
  ['failed processing success', 'processing'],
]
for (const kind of ['avatar', 'animation', 'diary'] as const) {
  for (const [units, expected] of table) {
    status(`${kind}: ${units} is ${expected}`, () => {
      const views = units.split(' ').map((unit) => toUnit(kind, unit as UnitStatus))
      assert.is(settleTask(kind, views), expected)
      assert.is(settleTask(kind, views.toReversed()), expected)
    })
  }
}

for (const [units, expected] of [
  ['mp4', 'partial_success'],
  ['webp success', 'partial_success'],
  ['webp failed', 'partial_success'],
  ['mp4 processing', 'processing'],
] as const) {
  status(`a clip of one format only: ${units} is ${expected}`, () => {
    const views = units.split(' ').map((unit) => toUnit('animation', unit as UnitStatus | 'mp4' | 'webp'))
    assert.is(settleTask('animation', views), expected)
  })
}

for (const [tasks, expected] of table) {
  status(`diary library: ${tasks} is ${expected}`, () => {
    const children = tasks.split(' ').map((child) => ({ status: child as TaskStatus }))
    assert.is(settleLibrary(children), expected)
    assert.is(settleLibrary(children.toReversed()), expected)
  })
}

status.run()
