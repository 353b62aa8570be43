import { startTemporaryService, type TemporaryService } from '../app/temporary/temporary-service.js'
import { drawUnlessTold, loadConfig } from '../config.js'
import type { CommandModule } from './command.js'
import { catchSignals } from './exec/catch-signals.js'
import { runProgram } from './exec/run-program.js'

export const register: CommandModule['register'] = (program, finish) => {
  program
    .command('exec')
    .description('Run a program with a server of its own, which ends with the program.')
    .usage('-- <program> [arguments...]')
    .argument('<program>', 'program to run')
    .argument('[arguments...]', 'its arguments')
    .addHelpText('after', help)
    .action(async (name: string, args: string[]) => finish(await exec(name, args)))
}

async function exec(name: string, args: readonly string[]): Promise<number> {
  const config = drawUnlessTold(loadConfig({ host: '127.0.0.1', port: '0' }))
  const signals = catchSignals()
  try {
    const service = await startTemporaryService(config, 'exec')
    try {
      return await runProgram(name, args, environmentOf(service), signals)
    } finally {
      await service.close()
    }
  } finally {
    signals.release()
  }
}

/** The service's own folder holds all its state: a database and a bucket of the environment are those of another service. */
function environmentOf({ url, key, dataDir }: TemporaryService): Record<string, string> {
  return { SVC_URL: url, SVC_API_KEY: key, SVC_DATA_DIR: dataDir, SVC_DATABASE: '', SVC_OBJECTS: '' }
}

const help = `
The program gets the address of the server in SVC_URL, a key without restrictions in SVC_API_KEY, and the folder in SVC_DATA_DIR,
which svc's own commands use too. Port and folder are new each time; other SVC_* variables apply as for svc serve. The built-in
provider draws, unless SVC_PROVIDER or SVC_CONFIG names another.

Exit codes: that of the program, 128 plus the number of the signal that ended it, 126 or 127 if it cannot run, 2 if the server
cannot start.

Examples:
  svc exec -- npm test
  svc exec -- sh -c 'curl -s "$SVC_URL/health"'
`
