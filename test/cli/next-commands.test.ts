import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { runSvc } from '../helpers/svc.js'
import { openTemporaryFolder } from '../helpers/temporary.js'

const next = suite('next commands')
const place = openTemporaryFolder()
next.after(() => place.close())
next.before(() => assert.is(runSvc(['key', 'create', '--name', 'first', '--data-dir', folder]).status, 0))
const folder = join(place.folder, 'data')
const file = join(folder, 'models.json')
const nobody = ['--url', 'http://127.0.0.1:9']

/** Commands, and the words in which each prints the one that comes next. */
const cases: readonly (readonly [command: readonly string[], said: string])[] = [
  [['provider', 'check', '--config', file], `node bin/svc.js init --config ${file} writes it`],
  [
    ['init', '--avatar', 'stub', '--animation', 'stub', '--data-dir', folder],
    `Then: node bin/svc.js provider check --data-dir ${folder}, node bin/svc.js serve --data-dir ${folder}\n`,
  ],
  [['models', ...nobody, '--data-dir', folder], 'node bin/svc.js key create makes one, where the server runs.'],
  [['models', ...nobody, '--key', 'svc_none'], 'Start one with "node bin/svc.js serve", or give its --url.'],
  [['key', 'revoke', 'key_nobody', '--data-dir', folder], 'node bin/svc.js key list shows all.'],
]

for (const [command, said] of cases) {
  next(`${command[0]} names the program as it was started`, () => {
    const { stdout, stderr } = runSvc(command)
    assert.match(stdout + stderr, said)
    assert.not.match(stdout + stderr, /(^|[^.\w/])svc (serve|init|key|provider|doctor|usage|data) /)
  })
}

next.run()
