import { SvcError } from '../../errors.js'

/** Limits the bytes of files that all calls hold in memory together, so that many large uploads cannot exhaust it. */
export class MemoryBudget {
  #bytes = 0

  constructor(private readonly bytesAtMost: number) {}

  get bytes(): number {
    return this.#bytes
  }

  /** Opens a share that grows with the bytes received. */
  openShare(): MemoryShare {
    let taken = 0
    let isOpen = true
    return {
      take: (bytes) => {
        // Bytes that arrive after the call has ended are discarded.
        if (!isOpen) return
        if (this.#bytes + bytes > this.bytesAtMost) {
          throw new SvcError('unavailable', 'Too many files are being uploaded right now. Try again in a few seconds.')
        }
        this.#bytes += bytes
        taken += bytes
      },
      release: () => {
        isOpen = false
        this.#bytes -= taken
        taken = 0
      },
    }
  }
}

export interface MemoryShare {
  /** Throws `unavailable` if the budget is exhausted. */
  take(bytes: number): void
  /** Returns all bytes to the budget and takes no more. */
  release(): void
}
