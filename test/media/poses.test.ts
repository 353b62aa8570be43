import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { choosePoses, poses } from '../../src/media/poses.js'

const chosen = suite('poses')

const choices: readonly [string, Parameters<typeof choosePoses>, readonly string[]][] = [
  ['all four', ['all'], poses],
  ['one', ['sitting'], ['sitting']],
  ['a list instead of the choice', ['all', ['running', 'lying']], ['running', 'lying']],
  ['a list that differs from the choice', ['sitting', ['walking']], ['walking']],
]
for (const [what, asked, expected] of choices) {
  chosen(`chooses ${what}`, () => assert.equal(choosePoses(...asked), expected))
}

chosen.run()
