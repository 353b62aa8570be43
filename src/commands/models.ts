import { call } from '../client/client.js'
import { renderTable } from '../text/table.js'
import { addServerOptions, type ServerFlags } from './client/connect.js'
import { printAnswer, withConnection } from './client/run.js'
import type { CommandModule } from './command.js'

export const register: CommandModule['register'] = (program, finish) => {
  program
    .command('models')
    .description('List the models that a key may use.')
    .use(addServerOptions)
    .addHelpText('after', '\nExample:\n  svc models\n')
    .action(async (flags: ServerFlags) =>
      finish(
        await withConnection('existing', flags, async (connection) => {
          const answer = await call(connection, 'listModels')
          const rows = answer.data.map(({ id, type }) => [id, type])
          return printAnswer(flags, answer, renderTable([{ title: 'model' }, { title: 'makes' }], rows))
        }),
      ),
    )
}
