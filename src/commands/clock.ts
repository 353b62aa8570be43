import { type CallInput, call } from '../client/client.js'
import type { Routes } from '../contract/index.js'
import { SvcError } from '../errors.js'
import { describeOffset, parseDurationMs, parseTime } from '../text/time.js'
import { addServerOptions, type ServerFlags } from './client/connect.js'
import { printAnswer, withConnection } from './client/run.js'
import type { CommandModule } from './command.js'

export const register: CommandModule['register'] = (program, finish) => {
  const clock = program
    .command('clock')
    .description(
      'Show and move the clock of a service, for tests. With --url it takes a key that was made with --admin.',
    )
    .addHelpText('after', help)
  const declare = (usage: string, summary: string, example: string) =>
    clock.command(usage).description(summary).use(addServerOptions).addHelpText('after', `\nExample:\n  ${example}\n`)

  declare('show', 'Show the time of the service.', 'svc clock show').action(async (flags: ServerFlags) =>
    finish(await run(flags)),
  )
  declare('advance <time>', 'Move the clock forward.', 'svc clock advance 24h').action(
    async (time: string, flags: ServerFlags) => {
      if (time.startsWith('-')) throw refuse(time, 'a step forward; svc clock set sets the clock back')
      const seconds = parseDurationMs(time, 'The time') / 1000
      finish(await run(flags, { advance_seconds: seconds }))
    },
  )
  declare('set <time>', 'Set the clock to a time, from which it runs on.', 'svc clock set 2026-12-24T09:00:00Z').action(
    async (time: string, flags: ServerFlags) => {
      if (time === 'now') throw refuse(time, 'a moment; svc clock reset sets the clock to the real time')
      if (/^\+?\d+[smhd]$/.test(time))
        throw refuse(time, `a moment; svc clock advance ${time.replace('+', '')} is a step`)
      finish(await run(flags, { time: new Date(parseTime(time, 'The time')).toISOString() }))
    },
  )
  declare('reset', 'Set the clock to the real time.', 'svc clock reset').action(async (flags: ServerFlags) =>
    finish(await run(flags, { reset: true })),
  )
}

function refuse(time: string, expected: string): SvcError {
  return new SvcError('invalid_request', `The time is ${JSON.stringify(time)}; it must be ${expected}.`)
}

/** Moves the clock with `body`, or only reads it, and prints the time. */
function run(flags: ServerFlags, body?: CallInput<Routes['moveClock']>['body']) {
  return withConnection('read', flags, async (connection) => {
    const state = body ? await call(connection, 'moveClock', { body }) : await call(connection, 'getClock')
    return printAnswer(flags, state, [`${state.now}, ${describeOffset(state.offset_seconds * 1000)}`])
  })
}

const help = `
Everything in the service that knows time moves with the clock: deadlines, retries, keys, rate limits, budgets, idempotency keys,
signed addresses and dates by default. All processes of a database have the new time within a second. Only while SVC_ENV is test,
the default.

Examples:
  svc clock advance 25h
  svc clock set 2026-12-24T09:00:00Z
`
