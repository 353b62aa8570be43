export interface Mp4Box {
  /** Types from the outermost on: `moov/trak/mdia`. */
  readonly path: string
  readonly start: number
  readonly content: Buffer
}

const containers = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl'])

/** Every box of an MP4 file, in the order of the file. */
export function listBoxes(bytes: Uint8Array): Mp4Box[] {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return listWithin(file, 0, file.length, '')
}

export function getBox(boxes: readonly Mp4Box[], type: string): Mp4Box {
  const found = boxes.find(({ path }) => path === type || path.endsWith(`/${type}`))
  if (found === undefined) throw new Error(`no box ${type}`)
  return found
}

/** The numbers of a table of 32-bit entries, such as `stco`. */
export function readEntries({ content }: Mp4Box, skip = 4): number[] {
  const count = content.readUInt32BE(skip)
  return Array.from({ length: count }, (_, index) => content.readUInt32BE(skip + 4 + index * 4))
}

function listWithin(file: Buffer, from: number, to: number, parent: string): Mp4Box[] {
  const boxes: Mp4Box[] = []
  for (let offset = from; offset < to; ) {
    const size = file.readUInt32BE(offset)
    const type = file.toString('latin1', offset + 4, offset + 8)
    const path = `${parent}${type}`
    boxes.push({ path, start: offset + 8, content: file.subarray(offset + 8, offset + size) })
    if (containers.has(type)) boxes.push(...listWithin(file, offset + 8, offset + size, `${path}/`))
    offset += size
  }
  return boxes
}
