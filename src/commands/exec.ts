import { drawUnlessTold, loadConfig } from '../config.js'
import type { CommandModule } from './command.js'
import { catchSignals } from './exec/catch-signals.js'
import { runProgram } from './exec/run-program.js'
import { startTemporaryService } from './serve/temporary-service.js'

export const register: CommandModule['register'] = (program, finish) => {
  program
    .command('exec')
    .description('Run a program beside a server of its own, which is gone when the program has ended.')
    .usage('-- <program> [arguments...]')
    .argument('<program>', 'what to run')
    .argument('[arguments...]', 'what it is given')
    .addHelpText('after', help)
    .action(async (name: string, args: string[]) => finish(await exec(name, args)))
}

async function exec(name: string, args: readonly string[]): Promise<number> {
  const config = drawUnlessTold(loadConfig({ host: '127.0.0.1', port: '0' }))
  const signals = catchSignals()
  try {
    const service = await startTemporaryService(config, 'exec')
    try {
      const { url, key, dataDir } = service
      return await runProgram(name, args, { SVC_URL: url, SVC_API_KEY: key, SVC_DATA_DIR: dataDir }, signals)
    } finally {
      await service.close()
    }
  } finally {
    signals.release()
  }
}

const help = `
The program finds the server in SVC_URL, a key that may do everything in SVC_API_KEY, and the folder in SVC_DATA_DIR, as svc's
own commands do. Port and folder are new each time; other SVC_* variables count as for svc serve. The built-in provider draws,
unless SVC_PROVIDER or SVC_CONFIG names another.

Exit codes: that of the program, 128 and the number of a signal that ended it, 126 or 127 if it cannot be run, 2 if the server
cannot.

Examples:
  svc exec -- npm test
  svc exec -- sh -c 'curl -s "$SVC_URL/health"'
`
