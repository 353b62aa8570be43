import type { CommandModule } from './command.js'

export const register: CommandModule['register'] = (program, finish) => {
  program.command('logs').action(() => finish(2))
}
