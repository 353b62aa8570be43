import { randomBytes } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { ObjectStore } from '../../src/ports/objects.js'
import { codeOf } from '../helpers/thrown.js'

/** Strings that are not object keys, and would lead somewhere else if they were used as paths. */
const hostileKeys = [
  '',
  'ai-gateway',
  'ai-gateway/',
  'other/a.jpg',
  '/ai-gateway/a.jpg',
  'ai-gateway//a.jpg',
  'ai-gateway/a/',
  'ai-gateway/.',
  'ai-gateway/..',
  'ai-gateway/../secret',
  'ai-gateway/a/../../../secret',
  'ai-gateway/.hidden',
  'ai-gateway/a..jpg',
  'ai-gateway\\..\\secret',
  'ai-gateway/%2e%2e/secret',
  'ai-gateway/a b.jpg',
  'ai-gateway/a\0.jpg',
  'ai-gateway/a\n',
  'ai-gateway/ä.jpg',
  'AI-GATEWAY/a.jpg',
  `ai-gateway/${'a'.repeat(201)}`,
  `ai-gateway${'/abcdefghi'.repeat(60)}`,
]

interface OpenedStore {
  readonly store: ObjectStore
  /** False if a reader of a replaced object may get an error instead of the state before. */
  readonly keepsReplaced?: boolean
  close(): void | Promise<void>
}

const readStream = async (stream: ReadableStream<Uint8Array> | undefined) =>
  Buffer.from(await new Response(stream).arrayBuffer())

/** Tests the behavior of every `ObjectStore`. `open` returns an empty one. */
export function testObjectStore(name: string, open: () => Promise<OpenedStore>): void {
  const objects = suite(`object store: ${name}`)
  let store: ObjectStore
  let close: OpenedStore['close'] = () => {}
  let keepsReplaced: boolean
  objects.before(async () => {
    const opened = await open()
    store = opened.store
    close = opened.close
    keepsReplaced = opened.keepsReplaced ?? true
  })
  objects.after(() => close())
  const refuses = async (work: Promise<unknown>, code: string) => assert.is(await codeOf(work), code)
  const bytes = randomBytes(700_000)

  objects('returns the stored bytes and their type', async () => {
    const key = 'ai-gateway/avatars/a_B-1/lying.webp'
    await store.put(key, bytes)
    assert.ok((await store.get(key)).equals(bytes))
    assert.equal(await store.findHead(key), { sizeBytes: bytes.length, contentType: 'image/webp' })
  })

  objects('stores an empty object', async () => {
    await store.put('ai-gateway/empty.jpg', new Uint8Array())
    assert.is((await store.get('ai-gateway/empty.jpg')).length, 0)
    assert.equal(await store.findHead('ai-gateway/empty.jpg'), { sizeBytes: 0, contentType: 'image/jpeg' })
  })

  objects('knows the type by the ending', async () => {
    const other = 'application/octet-stream'
    const types = { 'a.mp4': 'video/mp4', 'a.PNG': 'image/png', 'a.jpeg': 'image/jpeg', 'a.html': other, a: other }
    for (const [file, type] of Object.entries(types)) {
      await store.put(`ai-gateway/types/${file}`, bytes.subarray(0, 10))
      assert.is((await store.findHead(`ai-gateway/types/${file}`))?.contentType, type, file)
    }
  })

  objects('replaces an object, and a reader that has it open never reads the new state', async () => {
    const key = 'ai-gateway/replaced.jpg'
    await store.put(key, bytes)
    const before = await store.open(key)
    await store.put(key, bytes.subarray(0, 5))
    const after = await store.open(key)
    assert.is.not(before?.version, after?.version)
    assert.match(before?.version ?? '', /^[\w-]+$/)
    assert.is(before?.sizeBytes, bytes.length)
    const read = readStream(before?.stream())
    if (keepsReplaced) assert.ok((await read).equals(bytes))
    else await refuses(read, 'unavailable')
    assert.is((await new Response(after?.stream()).arrayBuffer()).byteLength, 5)
  })

  objects('returns and streams ranges of an object, also empty ones and ones past its end', async () => {
    const key = 'ai-gateway/ranges.mp4'
    await store.put(key, bytes)
    const ranges: [number, number][] = [
      [0, 0],
      [0, bytes.length - 1],
      [262_143, 262_144],
      [300_000, 600_000],
      [699_999, 900_000],
      [5, 4],
      [700_000, 700_001],
    ]
    for (const [start, end] of ranges) {
      const read = await readStream((await store.open(key))?.stream({ start, end }))
      assert.ok(read.equals(bytes.subarray(start, end + 1)), `streamed ${start}-${end}`)
      assert.ok((await store.get(key, { start, end })).equals(bytes.subarray(start, end + 1)), `${start}-${end}`)
    }
    await refuses(store.get('ai-gateway/none.mp4', { start: 5, end: 4 }), 'not_found')
  })

  objects('never shows half an object while it is being replaced', async () => {
    const key = 'ai-gateway/busy.mp4'
    const states = Array.from({ length: 8 }, (_, index) => Buffer.alloc(150_000 + index, index))
    await store.put(key, states[0] as Buffer)
    let writing = true
    const writers = states.map(async (state) => {
      for (let count = 0; count < 4; count++) await store.put(key, state)
    })
    const readers = Array.from({ length: 4 }, async () => {
      while (writing) {
        const found = await store.get(key).catch((error: { code?: string }) => {
          // A server may look for the state before just after it is gone.
          if (keepsReplaced || error.code !== 'not_found') throw error
        })
        if (found === undefined) continue
        const index = found[0] ?? -1
        assert.ok(states[index]?.equals(found), `${found.length} bytes, and the first is ${index}`)
      }
    })
    await Promise.all(writers)
    writing = false
    await Promise.all(readers)
  })

  objects('deletes an object, and one that is not there', async () => {
    const key = 'ai-gateway/gone/a.jpg'
    await store.put(key, bytes)
    await store.delete(key)
    await store.delete(key)
    await store.delete('ai-gateway/never/was.jpg')
    assert.is(await store.findHead(key), undefined)
    assert.is(await store.open(key), undefined)
    await refuses(store.get(key), 'not_found')
  })

  objects('has no objects that are folders, and no objects below an object', async () => {
    await store.put('ai-gateway/folder/a.jpg', bytes)
    for (const key of ['ai-gateway/folder', 'ai-gateway/folder/a.jpg/b']) {
      assert.is(await store.findHead(key), undefined, key)
      assert.is(await store.open(key), undefined, key)
      await refuses(store.get(key), 'not_found')
    }
    await store.delete('ai-gateway/folder/a.jpg/b')
    assert.ok((await store.get('ai-gateway/folder/a.jpg')).equals(bytes))
  })

  for (const key of hostileKeys) {
    objects(`has nothing under ${JSON.stringify(key).slice(0, 40)}`, async () => {
      await refuses(store.put(key, bytes), 'invalid_request')
      await refuses(store.get(key), 'not_found')
      assert.is(await store.findHead(key), undefined)
      assert.is(await store.open(key), undefined)
      await store.delete(key)
    })
  }

  objects.run()
}
