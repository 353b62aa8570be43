/** Prints the plan for a service of many pets: `npm run plan -- --pets 1000000`. */
import { readAssumptions, renderPlan } from './plan.js'

try {
  process.stdout.write(`${renderPlan(readAssumptions(process.argv.slice(2))).join('\n')}\n`)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 2
}
