// run: fleet
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { runSvc } from '../helpers/svc.js'

const variables = suite('variables of commands without a service')
const env = { SVC_STUB_FIAL: 'sitting' }

for (const args of [
  ['validate', 'fixtures/insight/REST_NIGHT_POOR.json'],
  ['payload', 'new'],
  ['insight', 'render', 'fixtures/insight/REST_NIGHT_POOR.json'],
  ['insight', 'scenarios'],
]) {
  variables(`svc ${args.slice(0, 2).join(' ')} refuses a misspelled one with the nearest name`, () => {
    const { status, stdout, stderr } = runSvc(args, { env })
    assert.equal(
      { status, stdout, stderr },
      { status: 2, stdout: '', stderr: 'svc: SVC_STUB_FIAL is not a setting. Did you mean SVC_STUB_FAIL?\n' },
    )
  })
}

variables('leave --help as it is', () => {
  assert.is(runSvc(['validate', '--help'], { env }).status, 0)
})

variables.run()
