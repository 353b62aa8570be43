// run: fleet
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openSession } from '../helpers/svc-session.js'

const variables = suite('variables of commands without a service')
const session = openSession()
variables.after(session.close)
const env = { SVC_STUB_FIAL: 'sitting' }

for (const args of [
  ['validate', 'fixtures/insight/REST_NIGHT_POOR.json'],
  ['payload', 'new'],
  ['insight', 'render', 'fixtures/insight/REST_NIGHT_POOR.json'],
  ['insight', 'scenarios'],
]) {
  variables(`svc ${args.slice(0, 2).join(' ')} refuses a misspelled one with the nearest name`, async () => {
    const stderr = 'svc: SVC_STUB_FIAL is not a setting. Did you mean SVC_STUB_FAIL?\n'
    assert.equal(await session.run(args, { env }), { status: 2, stdout: '', stderr })
  })
}

variables('leave --help as it is', async () => {
  assert.is((await session.run(['validate', '--help'], { env })).status, 0)
})

variables.run()
