import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readSurroundings, type Surroundings } from '../src/config.js'

const surroundings = suite('surroundings')

type Case = [what: string, variables: Record<string, string>, platform: NodeJS.Platform, file: string]
const node = ['node', '/svc/bin/svc.js']
const cases: readonly (readonly [...Case, Surroundings])[] = [
  ['a terminal without a desktop', {}, 'linux', '/svc/bin/svc.js', { isCi: false, hasDisplay: false, program: node }],
  [
    'a desktop',
    { DISPLAY: ':0', CI: '' },
    'linux',
    '/svc/bin/svc.js',
    { isCi: false, hasDisplay: true, program: node },
  ],
  [
    'a Wayland desktop',
    { WAYLAND_DISPLAY: 'w' },
    'linux',
    '/usr/bin/svc',
    { isCi: false, hasDisplay: true, program: ['svc'] },
  ],
  ['a Mac', { CI: 'false' }, 'darwin', '/usr/bin/svc', { isCi: false, hasDisplay: true, program: ['svc'] }],
  ['CI', { CI: 'true', DISPLAY: ':0' }, 'linux', '/usr/bin/svc', { isCi: true, hasDisplay: true, program: ['svc'] }],
  ['npx', { npm_command: 'exec' }, 'linux', '/a/.bin/svc', { isCi: false, hasDisplay: false, program: ['npx', 'svc'] }],
]
for (const [what, variables, platform, file, expected] of cases) {
  surroundings(`are told of ${what}`, () => {
    assert.equal(readSurroundings(variables, platform, ['node', file]), expected)
  })
}

surroundings.run()
