// Runs the program of a folder once per message: `svc-session.cjs FOLDER`. See `svc-session.ts`, and `terminal.ts` for a
// terminal: there, a mark tells where the output of a command ends.
const { join } = require('node:path')

const folder = process.argv[2]
require(join(folder, 'bin/load.js')).loadCached()
const { main } = require(join(folder, 'dist/cli.cjs'))
// Each run listens for errors of the same two streams.
for (const stream of [process.stdout, process.stderr]) stream.setMaxListeners(0)

process.on('message', async ({ args, cwd, env, script }) => {
  process.chdir(cwd)
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name]
  Object.assign(process.env, env)
  process.argv[1] = script
  process.exitCode = undefined
  await main(['node', 'svc', ...args])
  if (process.stdout.isTTY) process.stdout.write('\u001b]end\u0007')
  process.send(process.exitCode)
})
