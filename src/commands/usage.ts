import { Option } from 'commander'
import { call } from '../client/client.js'
import type { Routes } from '../contract/index.js'
import { addServerOptions, type ServerFlags } from './client/connect.js'
import { printJson, printLines, withConnection } from './client/run.js'
import { type UsageGroup, usageGroups, usageToCsv, usageToLines } from './client/usage-report.js'
import type { CommandModule } from './command.js'

interface UsageFlags extends ServerFlags {
  readonly by: UsageGroup
  readonly missingId?: true
  readonly csv?: true
}

export const register: CommandModule['register'] = (program, finish) => {
  addServerOptions(
    program
      .command('usage')
      .description('Print what was made and what it cost. It takes a key that was made with --admin.')
      .addOption(new Option('--by <what>', 'what to sum by').choices(usageGroups).default('pet'))
      .option('--missing-id', 'only what was made for callers that left out an ID')
      .addOption(new Option('--csv', 'print comma-separated values').conflicts('json')),
  )
    .addHelpText('after', '\nExamples:\n  svc usage --by day\n  svc usage --by pet --csv > usage.csv\n')
    .action(async (flags: UsageFlags) => finish(await printUsage(flags)))
}

async function printUsage(flags: UsageFlags) {
  return withConnection(flags, async (connection) => {
    const query = { by: flags.by, missing_id: flags.missingId === undefined ? undefined : 'true' }
    const answer = await call<Routes['getUsage']>(connection, { method: 'GET', path: '/_svc/usage', query })
    if (flags.json) printJson(answer)
    else if (flags.csv) process.stdout.write(usageToCsv(answer.entries))
    else printLines(usageToLines(answer.entries, flags.by))
    return 0
  })
}
