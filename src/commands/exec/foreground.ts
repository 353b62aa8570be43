import { closeSync, openSync, readFileSync } from 'node:fs'

/**
 * True if a signal of the terminal, such as Ctrl-C, reaches this process and its children: it is in the foreground process
 * group of a terminal. Standard input may come from elsewhere.
 */
export function isInForeground(): boolean {
  return process.platform === 'linux' ? isForegroundGroup(readFileSync('/proc/self/stat', 'utf8')) : hasTerminal()
}

/** Reads the stat line of a process on Linux. Source: the manual page proc(5), /proc/pid/stat. */
export function isForegroundGroup(stat: string): boolean {
  // The name of the program is in parentheses, and may contain blanks and parentheses.
  const [, , group, , , foregroundGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return group === foregroundGroup
}

/** Other systems only tell whether there is a terminal. */
function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'))
    return true
  } catch {
    // A process without a terminal cannot open it.
    return false
  }
}
