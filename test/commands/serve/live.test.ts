import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { describeStop } from '../../../src/commands/serve/live.js'

const stop = suite('sentence about a stop')

for (const [units, calls, sentence] of [
  [[], 0, undefined],
  [['avatar', 'avatar', 'diary', 'avatar'], 0, 'Finishing 4 pictures, at most 10 s; Ctrl-C again stops now.'],
  [['animation', 'diary'], 1, 'Finishing 1 picture, 1 clip and 1 call, at most 10 s; Ctrl-C again stops now.'],
] as const) {
  stop(`names ${units.length} units and ${calls} calls`, () => {
    assert.is(describeStop({ units, calls }, 10), sentence)
  })
}

stop.run()
