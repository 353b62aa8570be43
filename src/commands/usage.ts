import { Option } from 'commander'
import { call } from '../client/client.js'
import type { UsageGroup } from '../ports/usage.js'
import { findStdoutWidth } from '../runtime/style.js'
import { addServerOptions, type ServerFlags, type ServiceConnection } from './client/connect.js'
import { printJson, printLines, withConnection } from './client/run.js'
import { type UsageEntry, usageGroups, usageToCsv, usageToLines } from './client/usage-report.js'
import type { CommandModule } from './command.js'

interface UsageFlags extends ServerFlags {
  readonly by: UsageGroup
  readonly missingId?: true
  readonly from?: string
  readonly to?: string
  readonly csv?: true
}

export const register: CommandModule['register'] = (program, finish) => {
  program
    .command('usage')
    .description('Print what was made and what it cost. With --url it takes a key that was made with --admin.')
    .addOption(new Option('--by <what>', 'group totals by').choices(usageGroups).default('pet'))
    .option('--from <date>', 'first day, YYYY-MM-DD in UTC')
    .option('--to <date>', 'last day')
    .option('--missing-id', 'only usage of calls without an ID')
    .addOption(new Option('--csv', 'print comma-separated values').conflicts('json'))
    .use(addServerOptions)
    .addHelpText('after', '\nExamples:\n  svc usage --by day\n  svc usage --by pet --csv > usage.csv\n')
    .action(async (flags: UsageFlags) => finish(await printUsage(flags)))
}

async function printUsage(flags: UsageFlags) {
  return withConnection('read', flags, async (connection) => {
    const entries = await readEntries(connection, flags)
    if (flags.json) printJson({ entries })
    else if (flags.csv) process.stdout.write(usageToCsv(entries))
    else printLines(usageToLines(entries, flags.by, findStdoutWidth()))
    return 0
  })
}

/** Reads the entries of all pages. */
async function readEntries(
  connection: ServiceConnection,
  { by, missingId, from, to }: UsageFlags,
): Promise<UsageEntry[]> {
  const entries: UsageEntry[] = []
  const query = { by, missing_id: missingId === undefined ? undefined : 'true', from, to, page_size: '10000' }
  for (let page = 1; ; page++) {
    const answer = await call(connection, 'getUsage', { query: { ...query, page: String(page) } })
    entries.push(...answer.entries)
    if (answer.entries.length === 0 || entries.length >= answer.total) return entries
  }
}
