import type { CommandModule } from './command.js'

export const register: CommandModule['register'] = (program, finish) => {
  program.command('serve').action(() => finish(2))
}
