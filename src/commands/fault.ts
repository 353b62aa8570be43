import type { Command } from 'commander'
import { withStore } from '../app/storage/open-store.js'
import { call, type Server } from '../client/client.js'
import { loadConfig } from '../config.js'
import { type Fault, faultFieldNames } from '../contract/faults.js'
import { SvcError } from '../errors.js'
import { createFaultAdmin, type FaultAdmin, readFault } from '../faults/admin.js'
import { type FaultFields, faultFields } from '../faults/fields.js'
import { asFlag, asPart, toCompact } from '../faults/rule.js'
import { count } from '../text/words.js'
import { addServerOptions, connect, type ServerFlags } from './client/connect.js'
import { printAnswer } from './client/run.js'
import { type CommandModule, requireTest } from './command.js'
import { withChoices } from './completion/option-with-choices.js'

export const register: CommandModule['register'] = (program, finish) => {
  const fault = program
    .command('fault')
    .description('Make calls and tasks fail on demand, to test a client. Only with SVC_ENV=test, the default.')
    .addHelpText('after', "\nExample:\n  svc fault add --route 'POST /v1/pet-avatar/generate' --status 503 --times 1\n")
  const declare = (usage: string, summary: string, help: string) =>
    fault.command(usage).description(summary).use(addServerOptions).addHelpText('after', help)

  declare('add [rule...]', 'Add a rule. Servers that run apply it within a second.', addHelp)
    .use(addFieldOptions)
    .action(async (words: readonly string[], flags: AddFlags, command: Command) => {
      // A key of the environment may be for other commands.
      if (!flags.url && command.getOptionValueSource('key') === 'cli') {
        const message =
          '--key is the key that a server at --url is called with; for a rule about the calls of a key, use'
        throw new SvcError('invalid_request', `${message} --caller.`)
      }
      const fields = readFields(words, flags)
      const added = await withFaults(flags, true, (admin) => admin.add(fields))
      finish(printAnswer(flags, added, [`${added.id}  ${added.rule}`]))
    })

  declare('list', 'List the rules with what they did.', '\nExample:\n  svc fault list\n').action(
    async (flags: ServerFlags) => {
      const faults = await withFaults(flags, false, (admin) => admin.list())
      const lines = faults.length === 0 ? ['There is no fault rule.'] : faults.map(describe)
      finish(printAnswer(flags, { data: faults }, lines))
    },
  )

  declare('remove <id>', 'Remove a rule.', '\nExample:\n  svc fault remove fault_01JCX…\n').action(
    async (id: string, flags: ServerFlags) => {
      await withFaults(flags, false, (admin) => admin.remove(id))
      finish(printAnswer(flags, { removed: 1 }, [`Removed ${id}.`]))
    },
  )

  declare('clear', 'Remove all rules.', '\nExample:\n  svc fault clear\n').action(async (flags: ServerFlags) => {
    const removed = await withFaults(flags, false, (admin) => admin.clear())
    finish(printAnswer(flags, { removed }, [`Removed ${count(removed, 'rule')}.`]))
  })
}

type AddFlags = ServerFlags & Readonly<Record<string, unknown>>

/** Reads the rule of the argument, in the compact form, which a shell splits at blanks if it is not quoted, or of the flags. */
function readFields(words: readonly string[], flags: AddFlags): FaultFields {
  const given = pickFields(flags)
  if (words.length === 0) return readFault(given, asFlag)
  const other = faultFieldNames.find((name) => given[name] !== undefined)
  if (other === undefined) return readFault({ rule: words.join(' ') }, asPart)
  throw new SvcError(
    'invalid_request',
    `--${other} is given with a whole rule; write it in the rule, or use flags only.`,
  )
}

/** Declares an option for each field of a rule. */
function addFieldOptions(command: Command): void {
  for (const name of faultFieldNames) {
    const { value, summary, choices } = faultFields[name]
    const flags = value === undefined ? `--${name}` : `--${name} <${value}>`
    // Shells cannot complete routes, which have blanks, and the library of scenes takes long to read.
    const words = name === 'route' || name === 'scene' ? undefined : choices?.()
    const option = command.createOption(flags, summary)
    command.addOption(words === undefined ? option : withChoices(option, words))
  }
}

/** Returns the fields among the flags, whose names commander writes in camel case. */
function pickFields(flags: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const toFlag = (name: string) => name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
  return Object.fromEntries(faultFieldNames.map((name) => [name, flags[toFlag(name)]]))
}

function describe({ id, rule, state, fired, matched }: Fault): string {
  const seen = matched === fired ? '' : ` of ${count(matched, 'match', 'matches')}`
  return `${id}  ${state.padEnd(7)}  fired ${fired}${seen}  ${rule}`
}

const addHelp = `
A rule matches calls of the API, or the poses and scenes of tasks. It needs one effect. On calls: --status, --delay, --stall,
--drop, --body or --address; on poses and scenes: --code, --retries, --slow, --never-ends or --only. All matches given must fit;
the oldest rule that fits and fires decides. The header Svc-Fault of the response and svc logs name the rule.

Examples:
  svc fault add --route 'POST /v1/pet-avatar/generate' --status 503 --times 1
  svc fault add --pet tom --pose sitting --code provider_error --times 2
  svc fault add --route 'POST /v1/pet-avatar/generate' --drop after --times 1
  svc fault add --route '/v1/*' --delay 8s --share 10% --for 5m
  svc fault add 'route=POST /v1/pet-avatar/generate,status=503,times=1'
`

/** Manages the rules of a server, or of a database, which running servers read within a second. */
async function withFaults<T>(flags: ServerFlags, isNew: boolean, work: (admin: FaultAdmin) => Promise<T>): Promise<T> {
  if (flags.url) return work(toAdmin(await connect(flags, 'existing')))
  const config = loadConfig(flags)
  // The others are needed to make a start in production possible again.
  if (isNew) requireTest(config, 'svc fault add')
  return withStore(config, { mayCreate: isNew }, (store) => work(createFaultAdmin(store, store.now)))
}

/** Manages the rules of a server by its routes. */
const toAdmin = (server: Server): FaultAdmin => ({
  list: async () => (await call(server, 'listFaults')).data,
  add: (fields) => call(server, 'addFault', { body: { rule: toCompact(fields) } }),
  remove: async (id) => void (await call(server, 'removeFault', { params: { fault_id: id } })),
  clear: async () => (await call(server, 'clearFaults')).removed,
})
