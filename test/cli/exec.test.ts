// run: takes 5 s
import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isForegroundGroup } from '../../src/commands/exec.js'
import { reportSkip } from '../helpers/skip.js'
import { program, runSvc, startSvc } from '../helpers/svc.js'
import { openSession } from '../helpers/svc-session.js'

const exec = suite('svc exec')

const session = openSession()
exec.after(session.close)
/** Runs JavaScript with a server. */
const run = (script: string, env: Record<string, string> = {}) =>
  session.run(['exec', '--', process.execPath, '-e', script], { env })

exec(
  'has the program find a server that is ready, with a key for everything, in place of settings of another service',
  async () => {
    const outside = {
      SVC_URL: 'http://a',
      SVC_DATA_DIR: '/nowhere',
      SVC_PORT: '1',
      SVC_HOST: '::1',
      SVC_STUB_FAIL: 'lying',
    }
    const script = `
    const { SVC_URL, SVC_API_KEY, SVC_DATA_DIR, SVC_STUB_FAIL } = process.env
    const headers = { authorization: 'Bearer ' + SVC_API_KEY }
    Promise.all(['/v1/models', '/_svc/usage'].map(async (path) => (await fetch(SVC_URL + path, { headers })).status))
      .then((statuses) => console.log(JSON.stringify({ statuses, SVC_URL, SVC_DATA_DIR, SVC_STUB_FAIL })))`
    const { status, stdout, stderr } = await run(script, outside)
    assert.equal([status, stderr], [0, ''])
    const { statuses, SVC_URL, SVC_DATA_DIR, SVC_STUB_FAIL } = JSON.parse(stdout)
    assert.equal([statuses, SVC_STUB_FAIL], [[200, 200], 'lying'])
    assert.match(SVC_URL, /^http:\/\/127\.0\.0\.1:\d+$/)
    assert.match(SVC_DATA_DIR, /^\/.*svc-exec-\w+$/)
    assert.not.ok(existsSync(SVC_DATA_DIR), 'the folder is still there')
  },
)

exec('hands through input, output, errors, arguments and the exit code', () => {
  const script =
    'process.stdin.pipe(process.stdout); console.error(process.argv.slice(1).join("|")); process.exitCode = 7'
  const { status, stdout, stderr } = runSvc(
    ['exec', '--', process.execPath, '-e', script, '--', '--json', '-x', 'a b'],
    { input: 'typed' },
  )
  assert.equal({ status, stdout, stderr }, { status: 7, stdout: 'typed', stderr: '--json|-x|a b\n' })
})

exec(
  'exits with 127 for a missing program, 126 for one that cannot be run, 128 and the number of its signal',
  async () => {
    const missing = await session.run(['exec', '--', 'no-such-program'])
    const stderr = 'svc: no-such-program cannot be run: the program is not found.\n'
    assert.equal(missing, { status: 127, stdout: '', stderr })
    assert.is((await session.run(['exec', '--', '/'])).status, 126)
    assert.is((await session.run(['exec'])).status, 2)
    assert.is((await run("process.kill(process.pid, 'SIGKILL')")).status, 137)
  },
)

exec('forwards signals, and ends when the program does', async () => {
  const script = `
    for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM'])
      process.on(signal, () => { console.log('got ' + signal); if (signal === 'SIGTERM') process.exit(5) })
    setInterval(() => {}, 1000)
    console.log(process.env.SVC_DATA_DIR)`
  const running = startSvc(['exec', '--', process.execPath, '-e', script], {}, { detached: true })
  const folder = await running.nextLine()
  assert.ok(existsSync(folder))
  for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM'] as const) {
    running.child.kill(signal)
    assert.is(await running.nextLine(), `got ${signal}`)
  }
  assert.equal(await running.ended, { code: 5, signal: null })
  assert.not.ok(existsSync(folder), 'the folder is still there')
})

/** Counts what it gets after the first until it has waited for more. */
const counting = `
  let got = 0
  process.on('SIGINT', () => { if (++got === 1) setTimeout(() => { console.log('got ' + got); process.exit() }, 300) })
  setInterval(() => {}, 1000)
  console.log('up')`

for (const [what, before] of [
  ['the terminal', ''],
  ['a pipe', 'sleep 0 | '],
]) {
  exec(`leaves Ctrl-C to the terminal, which sends it to the program, with ${what} as standard input`, async () => {
    if (spawnSync('script', ['--version']).error !== undefined || process.platform !== 'linux')
      return reportSkip('there is no program script of util-linux, which makes a terminal')
    const line = `${before}"$NODE" "$PROGRAM" exec -- "$NODE" -e "$SCRIPT"`
    const env = { ...process.env, NODE: process.execPath, PROGRAM: program, SCRIPT: counting, SHELL: '/bin/sh' }
    const terminal = spawn('script', ['--quiet', '--command', line, '/dev/null'], { env })
    const lines = createInterface({ input: terminal.stdout })
    const seen: string[] = []
    for await (const text of lines) {
      seen.push(text)
      if (text.trim() === 'up') terminal.stdin.write('\u0003')
    }
    assert.ok(
      seen.some((text) => text.endsWith('got 1')),
      seen.join('\n'),
    )
  })
}

exec('recognizes a process in the foreground by its status in Linux', () => {
  assert.ok(isForegroundGroup('7 (node) S 1 7 5 34816 7 4194304 0'))
  assert.ok(isForegroundGroup('7 (a) b) S 1 7 5 34816 7 4194304 0'))
  assert.not.ok(isForegroundGroup('7 (node) S 1 7 5 34816 5 4194304 0'))
  assert.not.ok(isForegroundGroup('7 (node) S 1 7 7 0 -1 4194304 0'))
})

exec('answers as the signal does that the program does not take', async () => {
  const running = startSvc(['exec', '--', process.execPath, '-e', 'setInterval(() => {}, 1000); console.log("up")'])
  assert.is(await running.nextLine(), 'up')
  running.child.kill('SIGTERM')
  assert.equal(await running.ended, { code: 143, signal: null })
})

exec.run()
