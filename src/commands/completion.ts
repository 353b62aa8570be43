import type { CommandModule } from './command.js'
export const register: CommandModule['register'] = () => {}
