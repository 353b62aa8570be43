import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { folderOf } from '../../../helpers/postgres.js'

/** Returns the CPU time in microseconds of the server at an address so far, with its processes. Linux only. */
export function readPostgresMicros(address: string): number {
  const [line = ''] = readFileSync(join(folderOf(address), 'data/postmaster.pid'), 'utf8').split('\n')
  const children = readdirSync('/proc').filter((id) => /^\d+$/.test(id) && readStat(id)[1] === line)
  // Of the children that ended, the postmaster knows the time in hundredths of a second.
  const [, , endedUser = 0, endedSystem = 0] = readStat(line).slice(11).map(Number)
  return [line, ...children].reduce((sum, id) => sum + readRunMicros(id), (endedUser + endedSystem) * 10_000)
}

/** The fields after the name of a process: its state, its parent, and so on. */
function readStat(id: string): string[] {
  try {
    return readFileSync(`/proc/${id}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')
  } catch {
    return []
  }
}

function readRunMicros(id: string): number {
  try {
    return Number(readFileSync(`/proc/${id}/schedstat`, 'utf8').split(' ')[0]) / 1000
  } catch {
    return 0
  }
}
