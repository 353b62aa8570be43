import { closeSync, openSync, readSync } from 'node:fs'
import { listLogFiles, type RequestEntry } from '../../log.js'

const chunkBytes = 1 << 20

/** Reads a folder of log files again and again: every call gives what was written since the one before, by time. */
export function createLogReader(folder: string): () => RequestEntry[] {
  const read = new Map<string, { offset: number; rest: string }>()
  return () =>
    listLogFiles(folder)
      .flatMap((file) => {
        const position = read.get(file) ?? { offset: 0, rest: '' }
        read.set(file, position)
        return readLines(file, position)
      })
      .flatMap(parseLine)
      .sort((one, other) => (one.time < other.time ? -1 : one.time > other.time ? 1 : 0))
}

/** The whole lines behind `position`, which moves on; a line that is still being written waits for its end. */
function readLines(file: string, position: { offset: number; rest: string }): string[] {
  const lines: string[] = []
  const decoder = new TextDecoder()
  let descriptor: number
  try {
    descriptor = openSync(file, 'r')
  } catch (error) {
    // Deleted since the folder was listed, to make room.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return lines
    throw error
  }
  const chunk = Buffer.alloc(chunkBytes)
  for (let size = chunkBytes; size > 0; ) {
    size = readSync(descriptor, chunk, 0, chunkBytes, position.offset)
    position.offset += size
    const parts = (position.rest + decoder.decode(chunk.subarray(0, size), { stream: true })).split('\n')
    position.rest = parts.pop() ?? ''
    lines.push(...parts)
  }
  closeSync(descriptor)
  return lines
}

/** A line cut short by a crash is no entry. */
function parseLine(line: string): RequestEntry[] {
  try {
    return [JSON.parse(line)]
  } catch {
    return []
  }
}
