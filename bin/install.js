// npm runs this when it installs the packed program. Node 22 and later use a driver of SQLite that has its binary in its package, and
// need nothing. Node 20 needs an older one, which is compiled where there is no prebuilt binary. As a dependency it would be compiled
// on every Node, since its `engines` name them all; so it is installed here, and only where it is used.
const { spawnSync } = require('node:child_process')
const { existsSync } = require('node:fs')
const { basename, join } = require('node:path')
const { config, devDependencies } = require('../package.json')

const root = join(__dirname, '..')
const driver = 'better-sqlite3'
const place = join(root, '.driver')
const isNeeded = Number.parseInt(process.versions.node, 10) < 22
// In a checkout, npm installs the driver, and src/build/prepare.cjs compiles it.
const isThere = [root, place].some((folder) => existsSync(join(folder, 'node_modules', driver)))
if (isNeeded && !isThere) installDriver()

function installDriver() {
  const wanted = `${driver}@${devDependencies[driver]}`
  // The script is run by name: later versions of npm run those of unknown packages only if they are told to.
  const quiet = ['--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--loglevel=error']
  const isInstalled =
    runNpm(root, ['install', '--no-global', '--prefix', place, '--ignore-scripts', ...quiet, wanted]) &&
    runNpm(join(place, 'node_modules', driver), ['run', 'install'])
  if (isInstalled) return
  process.stderr.write(
    'svc is installed without SQLite, which needs Python, make and a C++ compiler on Node 20: it works with PostgreSQL only. ' +
      'Install them, then run "npm rebuild svc"; or use Node 22 or newer, which needs none of them.\n',
  )
}

function runNpm(cwd, args) {
  // node-gyp compiles one file at a time unless it is told otherwise. The parts of SQLite that svc does not use take the
  // compiler a quarter of the time.
  const { npm_execpath: file = '', ...env } = { JOBS: 'max', CFLAGS: config.sqliteFlags, ...process.env }
  // The settings of an installation for all users are not those of this folder.
  for (const name of ['global', 'location', 'prefix', 'local_prefix', 'omit', 'ignore_scripts']) {
    delete env[`npm_config_${name}`]
  }
  const npm = basename(file) === 'npm-cli.js' ? [process.execPath, file] : ['npm']
  const options = { cwd, env, stdio: 'inherit', shell: npm.length === 1 && process.platform === 'win32' }
  return spawnSync(npm[0], [...npm.slice(1), ...args], options).status === 0
}
