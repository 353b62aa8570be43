import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { programName } from '../../src/runtime/program-name.js'

const program = suite('program name')

program('is what was typed to start the program', () => {
  assert.is(programName('/clone/bin/svc.js', '/clone'), 'node bin/svc.js')
  assert.is(programName('/clone/bin/svc.js', '/a/b/c/d'), 'node /clone/bin/svc.js')
  assert.is(programName('/clone/node_modules/.bin/svc', '/clone'), 'npx svc')
  assert.is(programName('/usr/local/bin/svc', '/clone'), 'svc')
})

program.run()
