import { Address, Count, Size } from './assembly/layout.js'
import type { ScanMemory } from './memory.js'

/** The texts that the scanner has kept: dates and names come again and again, and are made once. */
export interface KeptTexts {
  /** By their places. */
  readonly kept: readonly string[]
  /** Makes those that are new since the last scan. */
  readonly takeNew: () => void
}

/** The number of kept texts at which the scanner forgets all of them: it would find no place for others. */
const mostKept = Count.Kept * 0.75

export function createTexts({ bytes, integers }: ScanMemory): KeptTexts {
  const kept: string[] = new Array(Count.Kept).fill('')
  let count = 0
  return {
    kept,
    takeNew: () => {
      const added = integers[Address.NewTextCount / 4] ?? 0
      for (let entry = Address.NewTexts / 4, left = added; left > 0; left--, entry += Size.Entry / 4) {
        kept[integers[entry] ?? 0] = bytes.toString('latin1', integers[entry + 1], integers[entry + 2])
      }
      count += added
      if (count < mostKept) return
      count = 0
      bytes.fill(0, Address.Kept, Address.Kept + Count.Kept * Size.Kept)
    },
  }
}
