import { SvcError } from '../../errors.js'

/** Bytes of files that calls hold in memory, all together: many large uploads at once must not take all there is. */
export class MemoryBudget {
  readonly #bytesAtMost: number
  #bytes = 0

  constructor(bytesAtMost: number) {
    this.#bytesAtMost = bytesAtMost
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Opens a share that grows with what comes in. */
  openShare(): MemoryShare {
    let taken = 0
    let isOpen = true
    return {
      take: (bytes) => {
        // What was still on its way when the call ended is dropped.
        if (!isOpen) return
        if (this.#bytes + bytes > this.#bytesAtMost) {
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
  /** Throws `unavailable` where there is no room. */
  take(bytes: number): void
  /** Gives all back, and takes no more. */
  release(): void
}
