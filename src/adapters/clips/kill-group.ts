/** Kills the process that leads a group, with all that it has started. */
export function killGroup(pid: number): void {
  try {
    // Windows knows no groups.
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL')
  } catch (error) {
    // It has ended.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
