import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isSvcError } from '../../src/errors.js'
import { fromCursor, toCursor } from '../../src/log/cursor.js'
import { parseRequestEntry } from '../../src/log/entry.js'
import type { RequestEntry } from '../../src/log/request-log.js'
import { type LogPosition, scanBackward, scanForward } from '../../src/log/scan.js'
import { openTemporaryFolder } from '../helpers/temporary.js'

const scan = suite('log scan')
let place: ReturnType<typeof openTemporaryFolder>
scan.before.each(() => {
  place = openTemporaryFolder()
})
scan.after.each(() => place.close())

const all = { parse: parseRequestEntry }
const fileOf = (writer: number, number = 0) =>
  join(place.folder, `20261121T101917${String(number).padStart(3, '0')}Z-${writer}.jsonl`)

function line(id: string, second: number, path = '/x'): string {
  const time = new Date(Date.UTC(2026, 9, 20) + second * 1000).toISOString()
  return `${JSON.stringify({ time, request_id: id, method: 'GET', path, status: 200, duration_ms: 1 })}\n`
}

const idsOf = (entries: readonly RequestEntry[]) => entries.map(({ request_id }) => request_id)
const readAll = async (from: LogPosition = new Map()) => idsOf(await scanForward(place.folder, from, all).next(10_000))

scan('reads the same entries forward and backward, for any number of writers and any page size', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.integer({ min: 1, max: 4 }), fc.nat(2000)), { maxLength: 60 }),
      fc.integer({ min: 1, max: 70 }),
      async (calls, limit) => {
        rmSync(place.folder, { recursive: true })
        mkdirSync(place.folder)
        for (const [second, [writer, filling]] of calls.entries()) {
          appendFileSync(fileOf(writer), line(String(second), second, `/${'x'.repeat(filling * 10)}`))
        }
        const expected = calls.map((_, second) => String(second))
        const forward = scanForward(place.folder, new Map(), all)
        const backward = scanBackward(place.folder, all)
        const [read, readBack]: [string[], string[]] = [[], []]
        for (let round = 0; round * limit <= calls.length; round++) {
          read.push(...idsOf(await forward.next(limit)))
          readBack.push(...idsOf(await backward.next(limit)))
          // A scan from this position reads the rest.
          assert.equal(await readAll(fromCursor(toCursor(forward.position()))), expected.slice(read.length))
        }
        assert.equal(read, expected)
        assert.equal(readBack.reverse(), expected)
        assert.equal(await readAll(backward.position()), [])
      },
    ),
    { numRuns: 40 },
  )
})

scan('finds lines by a text that they contain, in files of many pieces', async () => {
  const lines = Array.from({ length: 3000 }, (_, index) => line(`r${index}`, index, '/models'))
  writeFileSync(fileOf(1), lines.filter((_, index) => index % 2 === 0).join(''))
  writeFileSync(fileOf(2), lines.filter((_, index) => index % 2 === 1).join(''))
  const filter = { needle: '"r1499"', parse: parseRequestEntry }
  assert.equal(idsOf(await scanBackward(place.folder, filter).next(10)), ['r1499'])
  assert.equal(idsOf(await scanForward(place.folder, new Map(), filter).next(10)), ['r1499'])
  assert.equal(idsOf(await scanBackward(place.folder, all).next(3)), ['r2999', 'r2998', 'r2997'])
})

scan('reads all lines in their written order after the clock was set back', async () => {
  const ids = ['r1', 'r2', 'r3']
  writeFileSync(fileOf(1), [5000, 1, 2].map((second, place) => line(`r${place + 1}`, second)).join(''))
  assert.equal(await readAll(), ids)
  assert.equal(idsOf(await scanBackward(place.folder, all).next(10)), [...ids].reverse())
})

scan('leaves an incomplete line for the next scan', async () => {
  const half = line('r2', 2)
  writeFileSync(fileOf(1), line('r1', 1) + half.slice(0, 40))
  for (const first of [scanForward(place.folder, new Map(), all), scanBackward(place.folder, all)]) {
    assert.equal(idsOf(await first.next(10)), ['r1'])
    writeFileSync(fileOf(1), line('r1', 1) + half)
    assert.equal(await readAll(first.position()), ['r2'])
    writeFileSync(fileOf(1), line('r1', 1) + half.slice(0, 40))
  }
})

scan('continues after files were deleted and created', async () => {
  writeFileSync(fileOf(1, 1), line('r1', 1))
  writeFileSync(fileOf(2, 2), line('r2', 2))
  const { position, next } = scanBackward(place.folder, all)
  await next(10)
  rmSync(fileOf(1, 1))
  appendFileSync(fileOf(2, 2), line('r4', 4))
  writeFileSync(fileOf(1, 3), line('r3', 3))
  assert.equal(await readAll(position()), ['r3', 'r4'])
})

scan('reads nothing if the folder does not exist, and rejects if it cannot be read', async () => {
  place.close()
  assert.equal(await readAll(), [])
  assert.equal(await scanBackward(place.folder, all).next(1), [])
  writeFileSync(place.folder, '')
  try {
    await readAll()
    assert.unreachable()
  } catch (error) {
    assert.is(isSvcError(error) && error.code, 'unavailable')
  }
})

scan('encodes a position for a URL', () => {
  const position = new Map([
    ['20261121T101917273Z-1.jsonl', 0],
    ['20990101T000000000Z-4194304.jsonl', 8_388_608],
    ['00010101T000000000Z-7.jsonl', 5],
  ])
  const cursor = toCursor(position)
  assert.match(cursor, /^1(\.[0-9a-z]+-[0-9a-z]+-[0-9a-z]+){3}$/)
  assert.equal(fromCursor(cursor), position)
  assert.equal(fromCursor(toCursor(new Map())), new Map())
})

scan('skips parts of a cursor that are not offsets in a file', () => {
  const far = 'z'.repeat(300)
  const safe = Number.MAX_SAFE_INTEGER.toString(36)
  const good = toCursor(new Map([['20261121T101917273Z-1.jsonl', 7]]))
  const [, begin] = good.split(/[.-]/)
  const forged = [`${begin}-1-${far}`, `${begin}-${far}-1`, `${far}-1-1`, `${begin}-2-${safe}0`]
  assert.equal(toCursor(fromCursor([good, ...forged].join('.'))), good)
  assert.equal(fromCursor(`1.${begin}-2-${safe}`), new Map([['20261121T101917273Z-2.jsonl', Number.MAX_SAFE_INTEGER]]))
})

scan.run()
