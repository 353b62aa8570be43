import type { Command } from 'commander'

/** Exit code of a command: 0 done, 1 the answer is no, 2 could not do it, 3 partial success, 4 deadline passed. */
export type CommandResult = 0 | 1 | 2 | 3 | 4

/** A module in this folder that declares one command group. `finish` takes the exit code of the command that ran. */
export interface CommandModule {
  readonly register: (program: Command, finish: (result: CommandResult) => void) => void
}
