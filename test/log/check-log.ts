import * as assert from 'uvu/assert'
import { parseRequestEntry, parseTaskEntry } from '../../src/log/entry.js'
import type { EntryFilter, LogReader, RequestEntry, RequestLog } from '../../src/log/request-log.js'

/** A log of one test, in any place. */
export interface TestLog {
  /** Opens the log as another process does. */
  open(instance: string): Promise<RequestLog>
  readonly reader: LogReader
}

export const startAt = Date.UTC(2026, 9, 20)

export function buildEntry(id: string, second: number, change: Partial<RequestEntry> = {}): RequestEntry {
  const time = new Date(startAt + second * 1000).toISOString()
  return { time, request_id: id, method: 'GET', path: '/v1/models', status: 200, duration_ms: 1, ...change }
}

export const all: EntryFilter<RequestEntry> = { parse: parseRequestEntry }
export const idsOf = (entries: readonly RequestEntry[]) => entries.map(({ request_id }) => request_id)

/** Reads from a cursor to the end. */
export async function readOn(reader: LogReader, cursor?: string, filter = all) {
  const scan = reader.scanForward(cursor, filter)
  return { ids: idsOf(await scan.next(Number.POSITIVE_INFINITY)), cursor: scan.cursor() }
}

type AddTest = (title: string, check: () => Promise<void>) => void

/** Adds the tests that every place of the log passes. */
export function checkLog(add: AddTest, current: () => TestLog): void {
  async function write(instance: string, ...entries: readonly RequestEntry[]): Promise<void> {
    const log = await current().open(instance)
    for (const entry of entries) log.write(entry)
    await log.close()
  }

  add('reads the lines of all processes by time, in both directions and in pages', async () => {
    await write('one', buildEntry('a', 1), buildEntry('c', 3), buildEntry('e', 5))
    await write('two', buildEntry('b', 2), buildEntry('d', 4))
    const { reader } = current()
    assert.equal((await readOn(reader)).ids, ['a', 'b', 'c', 'd', 'e'])
    const forward = reader.scanForward(undefined, all)
    assert.equal(idsOf(await forward.next(2)), ['a', 'b'])
    assert.equal((await readOn(reader, forward.cursor())).ids, ['c', 'd', 'e'])
    assert.equal(idsOf(await forward.next(2)), ['c', 'd'])
    assert.equal((await readOn(reader, forward.cursor())).ids, ['e'])
    const backward = reader.scanBackward(all)
    assert.equal(idsOf(await backward.next(2)), ['e', 'd'])
    assert.equal((await readOn(reader, backward.cursor())).ids, [])
    assert.equal(idsOf(await backward.next(9)), ['c', 'b', 'a'])
  })

  add('shows the lines so far to readers after a flush, also during a write', async () => {
    const log = await current().open('one')
    log.write(buildEntry('a', 1))
    const first = log.flush()
    // The write has begun.
    await Promise.resolve()
    log.write(buildEntry('b', 2))
    await Promise.all([first, log.flush()])
    assert.equal((await readOn(current().reader)).ids, ['a', 'b'])
    log.write(buildEntry('c', 3))
    await log.flush()
    await log.flush()
    assert.equal((await readOn(current().reader)).ids, ['a', 'b', 'c'])
    await log.close()
    await log.flush()
    assert.equal((await readOn(current().reader)).ids, ['a', 'b', 'c'])
  })

  add('goes on after a cursor with later lines of known and of new processes, also with older times', async () => {
    await write('one', buildEntry('a', 10))
    const { reader } = current()
    const { cursor } = await readOn(reader)
    await write('two', buildEntry('late', 9), buildEntry('b', 11))
    const next = await readOn(reader, cursor)
    assert.equal(next.ids, ['late', 'b'])
    await write('three', buildEntry('c', 12))
    assert.equal((await readOn(reader, next.cursor)).ids, ['c'])
    assert.equal((await readOn(reader, cursor)).ids, ['late', 'b', 'c'])
  })

  add('finds lines by request ID, by the ID that was sent, by trace and by status', async () => {
    const trace_id = '0af7651916cd43dd8448eb211c80319c'
    await write('one', buildEntry('a', 1), buildEntry('b', 2, { caller_request_id: 'mine "7" \\ ä' }))
    await write('two', buildEntry('c', 3, { trace_id }), buildEntry('d', 4, { status: 404 }))
    const { reader } = current()
    const found = async (match: EntryFilter<RequestEntry>['match']) => {
      const parse = (line: string) => parseRequestEntry(line)
      const forward = await readOn(reader, undefined, { match, parse })
      assert.equal(idsOf(await reader.scanBackward({ match, parse }).next(9)), [...forward.ids].reverse())
      return forward
    }
    assert.equal((await found({ id: 'a' })).ids, ['a'])
    assert.equal((await found({ id: 'mine "7" \\ ä' })).ids, ['b'])
    assert.equal((await found({ id: trace_id })).ids, ['c'])
    assert.equal((await found({ status: 404 })).ids, ['d'])
    const none = await found({ id: 'nobody' })
    assert.equal(none.ids, [])
    assert.equal((await readOn(reader, none.cursor)).ids, [])
  })

  add('finds the events of units by the request that created their task', async () => {
    const log = await current().open('worker')
    const time = new Date(startAt).toISOString()
    log.write({ time, event: 'started', task_id: 'avatar_1', request_id: 'r1', unit: 'sitting', attempt: 1 })
    log.write({ time, event: 'breaker_opened', provider: 'openai' })
    log.write({ time, event: 'succeeded', task_id: 'avatar_1', request_id: 'r1', unit: 'sitting', attempt: 1 })
    await log.close()
    const events = await current()
      .reader.scanBackward({ match: { id: 'r1' }, parse: parseTaskEntry })
      .next(9)
    assert.equal(
      events.map(({ event, unit }) => [event, unit]),
      [
        ['succeeded', 'sitting'],
        ['started', 'sitting'],
      ],
    )
  })

  add('writes lines before it is closed, and no lines after', async () => {
    const log = await current().open('one')
    log.write(buildEntry('a', 1))
    const { reader } = current()
    // Other work of the machine may delay it.
    for (let ids: string[] = []; ids.length === 0; ids = (await readOn(reader)).ids) await new Promise(setImmediate)
    await log.close()
    log.write(buildEntry('b', 2))
    assert.equal((await readOn(reader)).ids, ['a'])
  })

  add('keeps the order of thousands of lines, written at once', async () => {
    const ids = Array.from({ length: 2500 }, (_, place) => `r${place}`)
    await write('one', ...ids.map((id) => buildEntry(id, 1)))
    assert.equal((await readOn(current().reader)).ids, ids)
  })
}
