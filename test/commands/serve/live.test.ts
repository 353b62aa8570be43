import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { describeLeft, describeStop } from '../../../src/commands/serve/live.js'

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

for (const [left, database, provider, sentence] of [
  [0, '', 'stub', undefined],
  [1, '', 'stub', '1 picture or clip is unfinished: the next start on this data directory makes it.'],
  [
    ...[4, 'postgres://db', 'stub'],
    '4 pictures and clips are unfinished: another process of the database, or the next start, makes them.',
  ],
  [
    ...[2, '', 'config'],
    '2 pictures and clips are unfinished: the next start on this data directory makes them. A call to a model that was cut off may be paid: ' +
      'its picture is then bought again, its clip is lost.',
  ],
] as const) {
  stop(`says what becomes of ${left} units of ${provider}${database === '' ? '' : ' in a database'}`, () => {
    assert.is(describeLeft(left, { database, provider }), sentence)
  })
}

stop.run()
