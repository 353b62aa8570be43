import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { computePlan, readAssumptions, renderPlan } from './plan.js'

const plan = suite('plan')

plan('is that of the page for several machines', () => {
  const page = readFileSync('src/server/fleet.md', 'utf8')
  assert.ok(page.includes(`\`\`\`text\n${renderPlan(readAssumptions([])).join('\n')}\n\`\`\``), 'run `npm run plan`')
})

plan('follows its flags', () => {
  const values = new Map(
    computePlan(readAssumptions(['--pets', '1000000', '--slots', '500', '--picture-dollars', '0.1'])),
  )
  assert.is(values.get('rows of avatars'), '4.74 GB')
  assert.is(values.get('days to make all pictures'), '2.78')
  assert.is(values.get('dollars for pictures'), '400,000')
})

plan('refuses other flags, and values that are not positive numbers', () => {
  assert.throws(() => readAssumptions(['--dogs', '1']), /--dogs is not one of: pets, /)
  assert.throws(() => readAssumptions(['--pets', 'many']), /--pets must be a positive number/)
  assert.throws(() => readAssumptions(['--pets']), /--pets must be a positive number/)
})

plan.run()
