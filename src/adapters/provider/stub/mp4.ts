/**
 * Puts in order what the encoder leaves undone in its MP4 files, so that they play while they are loaded and are the same
 * bytes on every run. Source: ISO/IEC 14496-12 (the boxes of an MP4 file).
 */

interface Box {
  readonly type: string
  /** Where the content starts in the file that was read. */
  readonly start: number
  readonly content: Uint8Array
  /** Of a box that we go into. */
  readonly children: readonly Box[] | undefined
}

/** Boxes that hold nothing but boxes, on the way to those that we change. */
const containers = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl'])
/** Version and flags, then when the file was made and changed. */
const timed = new Set(['mvhd', 'tkhd', 'mdhd'])
const headerBytes = 8

/**
 * The same film with its index first (`moov` before `mdat`, no padding), no times of making, and its first sample named
 * as the one key frame, without which players take every sample for one.
 * Throws an Error that says what is not as expected. What it made, it gives back as it is.
 */
export function finishMp4(bytes: Uint8Array): Uint8Array {
  const boxes = parseBoxes(bytes, 0, bytes.length).filter(({ type }) => type !== 'free')
  const types = boxes.map(({ type }) => type)
  if ([...types].sort().join() !== 'ftyp,mdat,moov') throw new Error(`MP4: unexpected boxes: ${types.join(' ')}`)
  const ftyp = getBox(boxes, 'ftyp')
  const mdat = getBox(boxes, 'mdat')
  const moov = nameKeyFrame(getBox(boxes, 'moov'))
  const sizes = sizeOf(ftyp) + sizeOf(moov)
  const moved = changeLeaves(moov, (box) => {
    if (timed.has(box.type)) return clearTimes(box)
    if (box.type === 'stco' || box.type === 'co64') return moveChunks(box, mdat, sizes + headerBytes - mdat.start)
    return box
  })
  const whole = new Uint8Array(sizes + sizeOf(mdat))
  let offset = 0
  for (const box of [ftyp, moved, mdat]) offset = writeBox(box, whole, offset)
  return whole
}

function parseBoxes(bytes: Uint8Array, from: number, to: number): Box[] {
  const boxes: Box[] = []
  for (let offset = from; offset < to; ) {
    if (offset + headerBytes > to) throw new Error(`MP4: ${to - offset} stray bytes at ${offset}`)
    const size = viewOf(bytes).getUint32(offset)
    const type = String.fromCharCode(...bytes.subarray(offset + 4, offset + headerBytes))
    // Sizes 0 (to the end of the file) and 1 (64 bits follow) are legal; a clip of seconds has neither.
    if (size < headerBytes || offset + size > to) throw new Error(`MP4: box ${type} at ${offset} has size ${size}`)
    const start = offset + headerBytes
    boxes.push({
      type,
      start,
      content: bytes.subarray(start, offset + size),
      children: containers.has(type) ? parseBoxes(bytes, start, offset + size) : undefined,
    })
    offset += size
  }
  return boxes
}

function getBox(boxes: readonly Box[], type: string): Box {
  const box = boxes.find((one) => one.type === type)
  if (box === undefined) throw new Error(`MP4: no ${type}`)
  return box
}

/** Adds the list of key frames, of one entry, to the tables of every track that has none. */
function nameKeyFrame(box: Box): Box {
  const children = box.children?.map(nameKeyFrame)
  if (box.type !== 'stbl' || children === undefined || children.some(({ type }) => type === 'stss')) {
    return { ...box, children }
  }
  const content = Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1)
  return { ...box, children: [...children, { type: 'stss', start: 0, content, children: undefined }] }
}

function changeLeaves(box: Box, change: (box: Box) => Box): Box {
  if (box.children === undefined) return change(box)
  return { ...box, children: box.children.map((child) => changeLeaves(child, change)) }
}

function clearTimes(box: Box): Box {
  const version = box.content[0]
  if ((version !== 0 && version !== 1) || box.content.length < 20) throw new Error(`MP4: ${box.type} of unknown form`)
  return { ...box, content: Uint8Array.from(box.content).fill(0, 4, version === 0 ? 12 : 20) }
}

/** Adds `distance` to where each chunk of samples starts. */
function moveChunks(box: Box, mdat: Box, distance: number): Box {
  const content = Uint8Array.from(box.content)
  const view = viewOf(content)
  const width = box.type === 'stco' ? 4 : 8
  const count = content.length < 8 ? 0 : view.getUint32(4)
  if (content.length !== 8 + count * width) throw new Error(`MP4: ${box.type} of ${content.length} bytes`)
  for (let at = 8; at < content.length; at += width) {
    const chunk = width === 4 ? view.getUint32(at) : Number(view.getBigUint64(at))
    if (chunk < mdat.start || chunk >= mdat.start + mdat.content.length) {
      throw new Error(`MP4: a chunk at ${chunk} lies outside of mdat`)
    }
    if (width === 4) view.setUint32(at, chunk + distance)
    else view.setBigUint64(at, BigInt(chunk + distance))
  }
  return { ...box, content }
}

function sizeOf({ content, children }: Box): number {
  return headerBytes + (children?.reduce((sum, child) => sum + sizeOf(child), 0) ?? content.length)
}

/** Answers where the next box goes. */
function writeBox(box: Box, into: Uint8Array, offset: number): number {
  viewOf(into).setUint32(offset, sizeOf(box))
  for (let index = 0; index < 4; index++) into[offset + 4 + index] = box.type.charCodeAt(index)
  let next = offset + headerBytes
  if (box.children === undefined) {
    into.set(box.content, next)
    return next + box.content.length
  }
  for (const child of box.children) next = writeBox(child, into, next)
  return next
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
