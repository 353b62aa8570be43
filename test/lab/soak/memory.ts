import { readFileSync } from 'node:fs'

/** Resident memory in MB of a server's main process, and of its children together. Zero without `/proc`. */
export interface Memory {
  readonly server: number
  readonly children: number
}

export function readMemory(pid: number): Memory {
  const children = listChildren(pid).reduce((sum, child) => sum + readRss(child), 0)
  return { server: readRss(pid), children }
}

/** Lists the processes that a process has started. */
export function listChildren(pid: number): number[] {
  return readIfThere(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number)
}

function readRss(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readIfThere(`/proc/${pid}/status`))?.[1] ?? 0) / 1024
}

/** The process may have ended. */
function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
