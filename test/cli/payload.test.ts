import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { scenarios } from '../../src/insight/index.js'
import { openSession } from '../helpers/svc-session.js'
import { openTemporaryFolder } from '../helpers/temporary.js'

const payload = suite('svc payload')
const { folder, write, close } = openTemporaryFolder()
payload.after(close)
const session = openSession()
payload.after(session.close)
const run = (...args: readonly string[]) => session.run(args, { cwd: folder })

payload('new prints one payload as a document that svc validate --strict accepts', async () => {
  const flags = [
    '--metric',
    'rest',
    '--window',
    'week',
    '--zone',
    'Europe/Berlin',
    '--end',
    '2026-10-26',
    '--seed',
    '7',
  ]
  const { status, stdout, stderr } = await run('payload', 'new', ...flags)
  assert.equal([status, stderr], [0, ''])
  const { metric, period } = JSON.parse(stdout)
  assert.equal([metric, period.startDate, period.timezone], ['rest', '2026-10-19', 'Europe/Berlin'])
  assert.is((await run('payload', 'new', ...flags)).stdout, stdout)
  write('one.json', stdout)
  assert.is((await run('validate', '--strict', 'one.json')).status, 0)
})

payload('new accepts a short name that means one time zone', async () => {
  assert.is(JSON.parse((await run('payload', 'new', '--zone', 'CET')).stdout).period.timezone, 'CET')
})

payload('new writes one payload of each scenario to a file, as NDJSON', async () => {
  const { status, stdout } = await run('payload', 'new', '--scenario', 'all', '--out', 'all.ndjson')
  assert.equal([status, stdout], [0, ''])
  assert.is(readFileSync(join(folder, 'all.ndjson'), 'utf8').trim().split('\n').length, scenarios.length)
  assert.is((await run('validate', '--strict', '--unknown', 'error', 'all.ndjson')).status, 0)
})

const refused: readonly (readonly [what: string, args: readonly string[], message: RegExp])[] = [
  ['a scenario of another metric', ['--scenario', 'BARK_TODAY', '--metric', 'hr'], /it is about a day of barking/],
  ['a misspelled time zone', ['--zone', 'Europe/Berlni'], /Did you mean Europe\/Berlin\?/],
  [
    'the abbreviation of a time zone',
    ['--zone', 'CST'],
    /abbreviation\. Did you mean America\/Chicago or Asia\/Shanghai/,
  ],
  ['a city without its area', ['--zone', 'new york'], /Did you mean America\/New_York\?/],
  ['a misspelled scenario', ['--scenario', 'rest-night-por'], /Did you mean REST_NIGHT_POOR\?/],
  ['a misspelled metric', ['--metric', 'activty'], /choices are activity, .*\n\(Did you mean activity\?\)/],
  ['a date that does not exist', ['--end', '2026-02-30'], /--end is "2026-02-30".* YYYY-MM-DD, such as 2026-10-26\.$/m],
  ['a date in another form', ['--end', '26.10.2026'], /YYYY-MM-DD, such as 2026-10-26\. Did you mean 2026-10-26\?/],
  ['a date with slashes', ['--end', '2026/1/5'], /Did you mean 2026-01-05\?/],
  ['a count of 0', ['--count', '0'], /--count is "0"/],
]
for (const [what, args, message] of refused) {
  payload(`new refuses ${what} with exit code 2`, async () => {
    const { status, stdout, stderr } = await run('payload', 'new', ...args)
    assert.equal([status, stdout], [2, ''])
    assert.match(stderr, message)
  })
}

payload.run()
