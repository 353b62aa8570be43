// run: waits
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { runSvcAsync } from '../helpers/svc.js'

const mainServer = suite('a main server')
const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url))

mainServer('passes its ten tests against svc exec, and does nothing wrong', async () => {
  const fault = 'route=GET /v1/models,status=503,retry-after=1,times=1'
  const test = [process.execPath, '--test', '--test-reporter=tap', pathOf('suite.mjs')]
  const env = { SVC_POLL_AFTER_SECONDS: '1' }
  const { status, stdout, stderr } = await runSvcAsync(['exec', '--strict-client', '--fault', fault, '--', ...test], {
    env,
  })
  assert.is(status, 0, stdout + stderr)
  assert.is([...stdout.matchAll(/^ *ok \d+ - /gm)].length >= 10, true, stdout)
  assert.match(stdout, /^# pass 10$/m)
})

mainServer('is a small program of its own', () => {
  const lines = readFileSync(pathOf('main-server.mjs'), 'utf8').split('\n')
  assert.ok(lines.length <= 201, `${lines.length} lines`)
  const imported = [...lines.join('\n').matchAll(/from '([^']+)'/g)].map(([, name]) => name)
  assert.equal(
    imported.filter((name) => !name?.startsWith('node:')),
    [],
  )
})

mainServer.run()
