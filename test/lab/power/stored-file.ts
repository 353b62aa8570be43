/** A change of a file's content that no sync has covered yet. */
interface Change {
  readonly sequence: number
  readonly offset: number
  /** Undefined if the change sets the size to `offset`. */
  readonly data?: Buffer
}

/** The disk writes blocks, of a size that the program does not know. */
const blockSizes = [512, 4096] as const

/** The content of a file: what the disk holds for certain, and the later changes in their order. */
export class StoredFile {
  #durable = new Content()
  #changes: Change[] = []

  add(change: Change): void {
    this.#changes.push(change)
  }

  /** Makes the changes before `sequence` durable. */
  sync(sequence: number): void {
    for (const change of this.#changes) if (change.sequence < sequence) this.#durable.apply(change)
    this.#changes = this.#changes.filter((change) => change.sequence >= sequence)
  }

  readDurable(): Buffer {
    return this.#durable.read()
  }

  readAll(): Buffer {
    return this.#readWith((content, change) => content.apply(change))
  }

  /** Returns the durable content with a random part of the changes. Each block is as it was at some time since the sync. */
  readTorn(random: () => number): Buffer {
    const blockBytes = blockSizes[random() < 0.5 ? 0 : 1]
    const counts = new Map<number, number>()
    for (const change of this.#changes) {
      for (const block of listBlocks(change, blockBytes)) counts.set(block, (counts.get(block) ?? 0) + 1)
    }
    // A third of the files each: most blocks old, most blocks new, anything.
    const lean = random() * 3
    const choose = (count: number) => Math.min(count, Math.floor(random() ** lean * (count + 1)))
    const left = new Map([...counts].map(([block, count]) => [block, choose(count)]))
    return this.#readWith((content, change) => {
      if (change.data === undefined) {
        if (random() < 0.5) content.apply(change)
        return
      }
      for (const block of listBlocks(change, blockBytes)) {
        const count = left.get(block) ?? 0
        left.set(block, count - 1)
        if (count > 0) content.apply(cutBlock(change.offset, change.data, block * blockBytes, blockBytes))
      }
    })
  }

  #readWith(apply: (content: Content, change: Change) => void): Buffer {
    const content = this.#durable.copy()
    for (const change of this.#changes) apply(content, change)
    return content.read()
  }
}

function listBlocks({ offset, data }: Change, blockBytes: number): number[] {
  const blocks: number[] = []
  for (let at = offset - (offset % blockBytes); data && at < offset + data.length; at += blockBytes) {
    blocks.push(at / blockBytes)
  }
  return blocks
}

function cutBlock(offset: number, data: Buffer, start: number, bytes: number): Omit<Change, 'sequence'> {
  const from = Math.max(start, offset)
  return { offset: from, data: data.subarray(from - offset, start + bytes - offset) }
}

class Content {
  #bytes = Buffer.alloc(0)
  #size = 0

  apply({ offset, data }: Omit<Change, 'sequence'>): void {
    const end = offset + (data?.length ?? 0)
    if (end > this.#bytes.length) {
      const larger = Buffer.alloc(Math.max(end, this.#bytes.length * 2))
      this.#bytes.copy(larger, 0, 0, this.#size)
      this.#bytes = larger
    }
    if (data === undefined) this.#bytes.fill(0, offset)
    else data.copy(this.#bytes, offset)
    this.#size = data === undefined ? offset : Math.max(this.#size, end)
  }

  copy(): Content {
    const copy = new Content()
    copy.#bytes = Buffer.from(this.#bytes)
    copy.#size = this.#size
    return copy
  }

  read(): Buffer {
    return this.#bytes.subarray(0, this.#size)
  }
}
