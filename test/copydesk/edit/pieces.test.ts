import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { splitPattern } from '../../../src/copydesk/edit/pieces.js'
import { reviewTexts } from '../../helpers/review.js'

const pieces = suite('pieces of a pattern')

const split = (pattern: string) =>
  splitPattern(pattern)?.map(({ length, offset, when }) => [pattern.slice(offset, offset + length), ...when])

pieces('keeps a pattern without choices whole, with its placeholders', () => {
  assert.equal(split(', already {nights} nights'), [[', already {nights} nights']])
})

pieces('has a run for each case, also for an empty one, and says when', () => {
  assert.equal(split('{count, plural, =0 {} one {, woke once,} other {, woke # times,}}'), [
    ['', 'the number 0'],
    [', woke once,', 'the number 1'],
    [', woke # times,', 'another number'],
  ])
})

pieces('names every choice around a run, the outermost first', () => {
  const pattern = '{name} {verdict, select, usual {stayed {base, select, rated {a} other {b}}.} other {was}}!'
  assert.equal(split(pattern), [
    ['{name} '],
    ['stayed ', 'usual on every day'],
    ['a', 'usual on every day', 'among the days compared'],
    ['b', 'usual on every day', 'among all days'],
    ['.', 'usual on every day'],
    ['was', 'usual on most days'],
    ['!'],
  ])
})

pieces('knows the runs that an example says', () => {
  const pattern = '{name} {verdict, select, usual {stayed {count, plural, one {once} other {# times}}.} other {was}}!'
  const said = (values: Readonly<Record<string, string | number>>) =>
    splitPattern(pattern, { values, locale: 'en-US' })?.map(({ isSaid }) => isSaid)
  assert.equal(said({ verdict: 'usual', count: 2 }), [true, true, false, true, true, false, true])
  assert.equal(said({ verdict: 'usual', count: 1 }), [true, true, true, false, true, false, true])
  assert.equal(said({ verdict: 'rare', count: 1 }), [true, false, false, false, false, true, true])
  const unknown = splitPattern(pattern)?.map(({ isSaid }) => isSaid)
  assert.equal(unknown, Array(7).fill(undefined))
})

pieces('leaves a broken pattern, and one that quotes braces, to the whole field', () => {
  for (const pattern of ['{count, plural, one {', '{', "quoted '{name}'"]) assert.is(splitPattern(pattern), undefined)
})

pieces('says in words when each run of the catalog is said', () => {
  const factor = splitPattern(reviewTexts.patterns['en-US'].FACTOR ?? '')?.map(({ when }) => when.join(', ')) ?? []
  assert.ok(factor.includes('more movement, compared with its own days'))
  for (const pattern of Object.values(reviewTexts.patterns).flatMap((texts) => Object.values(texts))) {
    for (const when of splitPattern(pattern)?.flatMap((piece) => piece.when) ?? []) assert.not.match(when, /[:_=]/)
  }
})

pieces('splits every text of the catalog into runs with whole placeholders, in order', () => {
  for (const pattern of Object.values(reviewTexts.patterns).flatMap((texts) => Object.values(texts))) {
    const runs = splitPattern(pattern) ?? []
    assert.ok(runs.length > 0, pattern)
    let end = 0
    for (const { length, offset } of runs) {
      assert.ok(offset >= end, pattern)
      end = offset + length
      assert.match(pattern.slice(offset, end), /^(?:[^{}]|\{\w+\})*$/)
    }
  }
})

pieces.run()
