import { call } from '../client/client.js'
import type { Routes } from '../contract/index.js'
import { addServerOptions, type ServerFlags } from './client/connect.js'
import { printJson, printLines, withConnection } from './client/run.js'
import type { CommandModule } from './command.js'

export const register: CommandModule['register'] = (program, finish) => {
  addServerOptions(program.command('models').description('List the models that the key may use.'))
    .addHelpText('after', '\nExample:\n  svc models\n')
    .action(async (flags: ServerFlags) =>
      finish(
        await withConnection(flags, async (connection) => {
          const answer = await call<Routes['listModels']>(connection, {
            method: 'GET',
            path: '/v1/models',
          })
          if (flags.json) printJson(answer)
          else printLines(answer.data.map(({ id, type }) => `${id}  ${type}`))
          return 0
        }),
      ),
    )
}
