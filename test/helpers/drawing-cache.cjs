// Keeps what the drawing processes of the stub provider draw during one run of the tests, and what the processes for photos
// read: the same request gives the same bytes, and most test files use the same pets. `run.ts` loads this file into each process with `--require`.
const { readFileSync, renameSync, rmSync, statSync, writeFileSync } = require('node:fs')
const Module = require('node:module')
const { join } = require('node:path')

const { DRAWING_CACHE: folder, NODE_OPTIONS } = process.env
/** The time between two looks for a drawing that another process makes. */
const lookMs = 20
/** A killed process may stay as a zombie that nobody waits for: no drawing takes this long. */
const longestMs = 30_000
const drawer = /(photos|stub)[/-]child\.c?js$/

if (drawer.test(process.argv[1])) {
  if (folder) answerRequests()
} else if (/\.cjs$|svc$|svc\.js$/.test(process.argv[1])) passToDrawersLater()
else passToDrawers()

/** The bundles of commands load modules by `require`. Most start no process, and the module that does is slow to load. */
function passToDrawersLater() {
  const { _load } = Module
  Module._load = (request, ...rest) => {
    if (request.endsWith('child_process')) {
      Module._load = _load
      passToDrawers()
    }
    return _load(request, ...rest)
  }
}

/** A drawing process gets no variables of its parent but these. */
function passToDrawers() {
  const childProcess = require('node:child_process')
  const { fork } = childProcess
  childProcess.fork = (path, args, options) => {
    // Some files of tests want no drawings of others.
    const { DRAWING_CACHE } = process.env
    const isKept = DRAWING_CACHE && drawer.test(String(path))
    return fork(path, args, isKept ? { ...options, env: { ...options.env, DRAWING_CACHE, NODE_OPTIONS } } : options)
  }
  Module.syncBuiltinESMExports()
}

/** Answers a request from the cache. The first one that is not there starts the program, which draws it. */
function answerRequests() {
  const { createHash } = require('node:crypto')
  const { serialize } = require('node:v8')
  const { on, send } = process
  const start = Module.runMain
  const waiting = []
  let listener
  let recording
  let started = false
  Module.runMain = () => {}

  function draw(command) {
    if (listener !== undefined) return listener(command)
    waiting.push(command)
    if (!started) start(process.argv[1])
    started = true
  }

  on.call(process, 'message', (command) => {
    answer(command, join(folder, createHash('sha256').update(serialize(command.request)).digest('hex')))
  })
  send.call(process, 'ready', () => {})

  function answer(command, path) {
    const kept = read(path)
    if (kept !== undefined) {
      // A server that was killed reads no report.
      for (const report of kept) send.call(process, report, () => {})
    } else if (claim(path)) {
      recording = { path, reports: [] }
      draw(command)
    } else setTimeout(answer, lookMs, command, path)
  }
  // As the program does when it runs.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) on.call(process, signal, () => {})

  process.on = (name, given) => {
    if (name !== 'message') return on.call(process, name, given)
    listener = given
    setImmediate(() => {
      for (const command of waiting.splice(0)) given(command)
    })
    return process
  }
  process.send = (report, ...rest) => {
    if (report === 'ready') return true
    recording?.reports.push(report)
    if (report.answer !== undefined) {
      const isDone = report.answer.output !== undefined || report.answer.jpeg !== undefined
      if (recording !== undefined && isDone) write(recording)
      if (recording !== undefined) rmSync(toClaim(recording.path), { force: true })
      recording = undefined
    }
    return send.call(process, report, ...rest)
  }
}

function read(path) {
  try {
    return require('node:v8').deserialize(readFileSync(path))
  } catch {
    // It was not drawn yet.
    return undefined
  }
}

const toClaim = (path) => `${path}.claim`

/** Returns whether this process is the one that draws: false while another one does. */
function claim(path) {
  try {
    writeFileSync(toClaim(path), String(process.pid), { flag: 'wx' })
    return true
  } catch {
    return isAbandoned(path)
  }
}

/** Returns whether the process that draws was killed. */
function isAbandoned(path) {
  try {
    const pid = readFileSync(toClaim(path), 'utf8')
    // It is empty while it is written.
    if (pid !== '') process.kill(Number(pid), 0)
    return Date.now() - statSync(toClaim(path)).mtimeMs > longestMs
  } catch (error) {
    // Without a file, the other process has just ended its drawing.
    return error.code === 'ESRCH'
  }
}

function write({ path, reports }) {
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, require('node:v8').serialize(reports))
  renameSync(draft, path)
}
