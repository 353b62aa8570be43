/** Builds what the tests run, unless it is there: `npm ci` has just built it. */
import { execFileSync } from 'node:child_process'
import { isBuilt } from './stamp.js'

// `npm_execpath` is the npm that runs this script.
const npm = process.env.npm_execpath
if (!isBuilt()) {
  const run = npm === undefined ? { file: 'npm', args: [] } : { file: process.execPath, args: [npm] }
  execFileSync(run.file, [...run.args, 'run', 'build'], { stdio: 'inherit' })
}
