import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { knownVariables, loadConfig, readSurroundings, type Surroundings } from '../src/config.js'
import { SvcError } from '../src/errors.js'

const surroundings = suite('surroundings')

type Case = [what: string, variables: Record<string, string>, platform: NodeJS.Platform, file: string]
const node = ['node', '/svc/bin/svc.js']
const cases: readonly (readonly [...Case, Surroundings])[] = [
  ['a terminal without a desktop', {}, 'linux', '/svc/bin/svc.js', { canOpen: false, program: node }],
  ['a desktop', { DISPLAY: ':0', CI: '' }, 'linux', '/svc/bin/svc.js', { canOpen: true, program: node }],
  ['a Wayland desktop', { WAYLAND_DISPLAY: 'w' }, 'linux', '/usr/bin/svc', { canOpen: true, program: ['svc'] }],
  ['a Mac', { CI: 'false' }, 'darwin', '/usr/bin/svc', { canOpen: true, program: ['svc'] }],
  ['CI', { CI: 'true', DISPLAY: ':0' }, 'linux', '/usr/bin/svc', { canOpen: false, program: ['svc'] }],
  ['npx', { npm_command: 'exec' }, 'linux', '/a/.bin/svc', { canOpen: false, program: ['npx', 'svc'] }],
]
for (const [what, variables, platform, file, expected] of cases) {
  surroundings(`are reported for ${what}`, () => {
    assert.equal(readSurroundings(variables, platform, ['node', file]), expected)
  })
}

surroundings.run()

const settings = suite('settings')

settings('take a retention in days, and nothing else', () => {
  assert.is(loadConfig({}, {}).retentionDays, null)
  assert.is(loadConfig({}, { SVC_RETENTION_DAYS: '30' }).retentionDays, 30)
  for (const text of ['0', '-1', '1.5', '30d', '36501']) {
    const message = `SVC_RETENTION_DAYS is "${text}"; it must be an integer from 1 to 36500; unset it to keep everything.`
    assert.throws(
      () => loadConfig({}, { SVC_RETENTION_DAYS: text }),
      (error: Error) => error.message === message,
    )
  }
})

const misspelled: [name: string, says: RegExp][] = [
  ['SVC_PROT', /^SVC_PROT is not a setting\. Did you mean SVC_PORT\?$/],
  ['SVC_DATADIR', /Did you mean SVC_DATA_DIR\?$/],
  ['SVC_APIKEY', /Did you mean SVC_API_KEY\?$/],
  ['SVC_COLOUR', /^SVC_COLOUR is not a setting\. Unset it; src\/server\/README\.md lists the settings\.$/],
]
for (const [name, says] of misspelled) {
  settings(`refuse the variable ${name}, and do not show its value`, () => {
    try {
      loadConfig({}, { [name]: 'secret' })
    } catch (error) {
      assert.ok(error instanceof SvcError)
      assert.match(error.message, says)
      assert.not.match(error.message, 'secret')
      return
    }
    assert.unreachable()
  })
}

settings('know every variable that is theirs, and let others and empty ones be', () => {
  const empty = Object.fromEntries([...knownVariables, 'SVC_PROT'].map((name) => [name, '']))
  const client = { SVC_URL: 'http://127.0.0.1:1', SVC_API_KEY: 'k', svc_prot: '1', MY_SVC_PORT: '1' }
  assert.is(loadConfig({}, { ...empty, ...client }).port, 8787)
})

settings.run()
