import type { CommandModule } from './command.js'

export const register: CommandModule['register'] = (program, finish) => {
  program.command('validate').action(() => finish(2))
}
