import type { Frame } from './frame.js'

/** Reads the pictures of a stream of binary PPM files. Throws if it is not 8-bit PPM. */
export async function* readPpm(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Frame> {
  let waiting = Buffer.alloc(0)
  const chunks = stream[Symbol.asyncIterator]()
  /** True if that many bytes are available. */
  async function fill(bytes: number): Promise<boolean> {
    const parts = [waiting]
    let size = waiting.length
    while (size < bytes) {
      const { value, done } = await chunks.next()
      if (done) break
      parts.push(Buffer.from(value))
      size += value.length
    }
    if (parts.length > 1) waiting = Buffer.concat(parts)
    return size >= bytes
  }
  while (await fill(1)) {
    await fill(headAtMost)
    const head = /^P6\n(\d{1,5}) (\d{1,5})\n255\n/.exec(waiting.toString('latin1', 0, headAtMost))
    if (head === null) throw new Error('The decoder wrote no PPM.')
    const [width, height] = [Number(head[1]), Number(head[2])]
    const end = head[0].length + width * height * 3
    if (!(await fill(end))) throw new Error('The decoder ended in the middle of a picture.')
    yield { width, height, pixels: waiting.subarray(head[0].length, end) }
    waiting = waiting.subarray(end)
  }
}

const headAtMost = 32
