import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createRenderer } from '../../../src/commands/logs/render.js'
import { plain } from '../../../src/runtime/style.js'

const lines = suite('lines of the log on a terminal')

const call = {
  time: '2026-10-14T08:00:00.000Z',
  request_id: 'req_01M86K0BAB7E2F3YK9DFE0J6ZC',
  method: 'GET',
  path: '/v1/pet-avatar/tasks/avatar_01M86K0BV4A82XC702KN4TNPPD',
  status: 200,
  duration_ms: 1234,
  key_name: 'local',
  pet_id: 'sample-dog-with-a-long-name',
  task_id: 'avatar_01M86K0BV4A82XC702KN4TNPPD',
}

for (const [width, shows, hides] of [
  [60, /200 {4}1\.2 s {2}GET \/v1\/pet-avatar.*…$/, /req_|local/],
  [110, /avatar_\w+… {2}req_01M86K0BAB7E2F3YK9DFE0J6ZC$/, /local/],
  [160, /avatar_01M86K0BV4A82XC702KN4TNPPD +req_\w+ {2}local {9}sample-dog-…/, /^$/],
] as const) {
  lines(`take ${width} columns, and leave out what matters least`, () => {
    const [line = ''] = createRenderer(plain, { findWidth: () => width, hasDates: true })([call])
    assert.is(line.length, width)
    assert.match(line, shows)
    assert.not.match(line, hides)
  })
}

lines('take 80 columns on a terminal that does not report its width', () => {
  const [line] = createRenderer(plain, { findWidth: () => 0, hasDates: true })([call])
  assert.is(line?.length, 80)
})

lines('are whole for a file or pipe', () => {
  const [line] = createRenderer(plain)([call])
  assert.is(
    line,
    `${call.time}  200  GET ${call.path}  1234 ms  key local  pet ${call.pet_id}  task ${call.task_id}  request ${call.request_id}`,
  )
})

lines.run()
