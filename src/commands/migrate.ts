import { migrateStorage } from '../app/storage/open-store.js'
import { loadConfig } from '../config.js'
import { count } from '../text/words.js'
import { printAnswer } from './client/run.js'
import type { CommandModule } from './command.js'
import { addStorageOptions, type PrintFlags } from './storage-options.js'

export const register: CommandModule['register'] = (program, finish) => {
  program
    .command('migrate')
    .description('Change the tables of the database to those of this version, as every start does.')
    .use(addStorageOptions)
    .option('--check', 'only list the changes that a start would make')
    .option('--json', 'print one JSON document')
    .addHelpText('after', help)
    .action(async ({ check, json, ...flags }: PrintFlags & { readonly check?: true }) => {
      const isCheck = check === true
      const steps = await migrateStorage(loadConfig(flags), !isCheck)
      const what = count(steps.length, 'change')
      const summary = isCheck ? `The database lacks ${what}.` : `The database is up to date; ${what} ran.`
      printAnswer({ ...(json && { json }) }, isCheck ? { pending: steps } : { ran: steps }, [
        summary,
        ...steps.map((step) => `  ${step}`),
      ])
      finish(isCheck && steps.length > 0 ? 1 : 0)
    })
}

const help = `
Other processes wait until the changes are made. Processes of the version before go on working. With a pooler in front of the
database, SVC_DATABASE_DIRECT names the database itself.

Exit codes: 0 up to date, 1 with --check if changes are pending, 2 the database cannot be used, or a newer version has changed
it too much for this one.

Examples:
  svc migrate --check
  SVC_DATABASE=postgres://owner@db.example.com/svc svc migrate
`
