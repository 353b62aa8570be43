import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createCallId, createId } from '../../src/runtime/ids.js'

const ids = suite('IDs')

const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const readTime = (id: string) => [...id.slice(4, 14)].reduce((time, digit) => time * 32 + digits.indexOf(digit), 0)

ids('begin with their prefix and end with a ULID of the current time', () => {
  const before = Date.now()
  const id = createId('req_')
  assert.match(id, /^req_[0-7][0-9A-HJKMNP-TV-Z]{25}$/)
  assert.ok(readTime(id) >= before && readTime(id) <= Date.now())
})

ids('sort by creation, also within a millisecond, and are unique', () => {
  const made = Array.from({ length: 10_000 }, () => createId('hdi_'))
  assert.equal([...new Set(made)].sort(), made)
})

ids('of calls sort by creation, have 16 characters, and are unique', () => {
  const made = Array.from({ length: 10_000 }, createCallId)
  assert.match(made[0] ?? '', /^[0-9A-HJKMNP-TV-Z]{16}$/)
  assert.equal([...new Set(made)].sort(), made)
})

ids('of different milliseconds differ at random', async () => {
  const tailOf = (id: string) => id.slice(14)
  const one = createId('req_')
  while (Date.now() <= readTime(one)) await new Promise(setImmediate)
  assert.is.not(tailOf(createId('req_')), tailOf(one))
})

ids.run()
