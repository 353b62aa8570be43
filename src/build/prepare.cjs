// npm runs this after `npm ci` and before `npm pack`: it builds svc. `npm ci --omit=dev` leaves out the packages that the build
// needs; then a build that is there stays as it is.
const { execFileSync } = require('node:child_process')
const { existsSync } = require('node:fs')
const { join } = require('node:path')

const root = join(__dirname, '../..')
if (existsSync(join(root, 'node_modules/tsx'))) {
  process.stdout.write('Building svc: validators, texts, bundles and pages (about half a minute).\n')
  execFileSync('npm', ['run', 'build'], { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' })
} else if (!existsSync(join(root, 'dist/cli.cjs'))) {
  process.stderr.write(
    'svc is not built, and --omit=dev leaves out the packages that build it. Run "npm ci", then "npm prune --omit=dev"; ' +
      'or install what "npm pack" makes in a built folder.\n',
  )
  process.exitCode = 1
}
