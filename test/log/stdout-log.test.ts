import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openStreamLog } from '../../src/log/writers.js'
import { openTemporaryFolder } from '../helpers/temporary.js'

const log = suite('request log on standard output')

log('writes whole lines in order, which name the process, and none after its close', async () => {
  const place = openTemporaryFolder()
  const file = join(place.folder, 'output')
  const descriptor = openSync(file, 'a')
  const requests = openStreamLog(descriptor, 'web-1-7')
  const call = { time: '2026-10-20T08:00:00.000Z', method: 'GET', path: '/x', status: 200, duration_ms: 1 }
  for (let count = 0; count < 2500; count++) requests.write({ ...call, request_id: `r${count}` })
  await requests.close()
  requests.write({ ...call, request_id: 'late' })
  await requests.flush()
  closeSync(descriptor)
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  assert.equal(
    lines.map((line) => JSON.parse(line)),
    Array.from({ length: 2500 }, (_, count) => ({ ...call, request_id: `r${count}`, instance: 'web-1-7' })),
  )
  place.close()
})

log.run()
