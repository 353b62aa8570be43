import { closeSync, openSync, readFileSync } from 'node:fs'

/**
 * Whether what is typed at the terminal, such as Ctrl-C, reaches this process and all that it started, wherever standard
 * input comes from: it has a terminal, and is in the group of processes in its foreground.
 */
export function isInForeground(): boolean {
  return process.platform === 'linux' ? isForegroundGroup(readFileSync('/proc/self/stat', 'utf8')) : hasTerminal()
}

/** From what Linux says of a process. Source: the manual page proc(5), /proc/pid/stat. */
export function isForegroundGroup(stat: string): boolean {
  // The name of the program stands in brackets, and may have blanks and brackets itself.
  const [, , group, , , foregroundGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return group === foregroundGroup
}

/** Elsewhere only the terminal can be asked for. */
function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'))
    return true
  } catch {
    // A process without a terminal cannot open it.
    return false
  }
}
