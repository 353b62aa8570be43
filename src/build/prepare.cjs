// npm runs this after `npm ci` and before `npm pack`: it builds svc, and compiles SQLite at the same time. npm would compile it
// first, so `allowScripts` of package.json denies the driver's own script to npm; an older npm, which does not know
// `allowScripts`, has run it by now. `npm ci --omit=dev` leaves out the packages that the build needs; then a build that is
// there stays as it is.
const { spawn } = require('node:child_process')
const { cpSync, existsSync, rmSync } = require('node:fs')
const { join } = require('node:path')

const root = join(__dirname, '../..')
const modules = join(root, 'node_modules')
const driver = join(modules, 'better-sqlite3')

/** From Node 22 on, the other driver is used, which has a prebuilt binary. */
const hasNewer = Number.parseInt(process.versions.node, 10) >= 22 && existsSync(join(modules, 'better-sqlite3-node22'))
const isCompiled = hasNewer || !existsSync(driver) || existsSync(join(driver, 'build/Release/better_sqlite3.node'))

const mayBuild = existsSync(join(modules, 'tsx'))
const runs = []
if (!isCompiled) {
  process.stdout.write('Compiling SQLite where no prebuilt binary is available (one to four minutes).\n')
  const toSeconds = () => `${Math.round(process.uptime())} s`
  // npm shows these lines as they come: .npmrc sets `foreground-scripts`.
  const timer = setInterval(() => process.stdout.write(`Compiling SQLite, ${toSeconds()} so far.\n`), 10_000)
  const compilation = run(driver, 'install', 'SQLite could not be compiled: it needs Python, make and a C++ compiler.')
  runs.push(
    compilation
      .then(() => process.stdout.write(`SQLite is ready after ${toSeconds()}.\n`))
      .then(keepDriver)
      .finally(() => clearInterval(timer)),
  )
}
if (mayBuild) {
  process.stdout.write('Building svc: validators, texts, bundles and pages (about half a minute).\n')
  runs.push(run(root, 'build:bundles', 'svc could not be built.'))
} else if (!existsSync(join(root, 'dist/cli.cjs'))) {
  process.stderr.write(
    'svc is not built, and --omit=dev leaves out the packages that build it. Run "npm ci", then "npm prune --omit=dev"; ' +
      'or install what "npm pack" makes in a built folder.\n',
  )
  process.exitCode = 1
}
// The last step runs the server once, which needs the driver.
Promise.all(runs)
  .then(() => (mayBuild ? run(root, 'build:finish', 'svc could not be built.') : undefined))
  .catch((error) => {
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  })

/** Copies what runs of the driver to where bin/install.js installs it: `npm prune --omit=dev` removes the package. */
function keepDriver() {
  const isRun = (path) => !/[\\/](deps|src|obj[^\\/]*|node_gyp_bins)$/.test(path)
  for (const name of ['better-sqlite3', 'bindings', 'file-uri-to-path']) {
    if (!existsSync(join(modules, name))) continue
    cpSync(join(modules, name), join(root, '.driver/node_modules', name), { recursive: true, filter: isRun })
  }
  // The compiler's intermediate files take 15 MB.
  for (const name of ['obj', 'obj.target'])
    rmSync(join(driver, 'build/Release', name), { recursive: true, force: true })
}

/** Runs a script of a package to its end, and prints its output if it fails. */
function run(cwd, script, problem) {
  return new Promise((resolve, reject) => {
    // node-gyp compiles one file at a time unless it is told otherwise. The parts of SQLite that svc does not use, which package.json
    // names, take the compiler a quarter of the time.
    const env = { JOBS: 'max', CFLAGS: process.env.npm_package_config_sqliteFlags, ...process.env }
    const child = spawn('npm', ['run', script], { cwd, env, shell: process.platform === 'win32' })
    const output = []
    child.stdout.on('data', (part) => output.push(part))
    child.stderr.on('data', (part) => output.push(part))
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`${Buffer.concat(output)}${problem}`))
    })
  })
}
