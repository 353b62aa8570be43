import { Address, Count } from './assembly/layout.js'

/** The memory that the scanner and this program use together: see `assembly/layout.ts`. */
export interface ScanMemory {
  readonly memory: WebAssembly.Memory
  readonly bytes: Buffer
  readonly integers: Int32Array
  readonly floats: Float64Array
}

/** The most that can be scanned at once. */
export const maxInputBytes = 2 << 20

const pageBytes = 64 << 10

export function createScanMemory(): ScanMemory {
  // One page more: what reads several bytes at once reads beyond the last one.
  const memory = new WebAssembly.Memory({ initial: Math.ceil((Address.Input + maxInputBytes) / pageBytes) + 1 })
  const { buffer } = memory
  const floats = new Float64Array(buffer)
  for (let power = 0; power <= Count.Digits; power++) floats[Address.PowersOfTen / 8 + power] = 10 ** power
  return { memory, bytes: Buffer.from(buffer), integers: new Int32Array(buffer), floats }
}
