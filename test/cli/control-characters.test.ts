// run: fleet
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { reportSkip } from '../helpers/skip.js'
import { program, startSvc } from '../helpers/svc.js'
import { openSession } from '../helpers/svc-session.js'
import { openTemporaryFolder } from '../helpers/temporary.js'
import { hasTerminal, noTerminal, runOnTerminal } from '../helpers/terminal.js'

const control = suite('control characters')
const { folder, write, close } = openTemporaryFolder()
const session = openSession()
control.after(async () => {
  await session.close()
  close()
})

/** Hides the following text, begins a sequence, and reverses the following text. */
const hostile = 'x\u001b[8m\u009b\u202e'
const dataDir = join(folder, hostile)
mkdirSync(dataDir)
const dog = fileURLToPath(new URL('../../fixtures/photos/dog.jpg', import.meta.url))

function assertPrintable(text: string): void {
  for (const raw of ['\u001b[8m', '\u009b', '\u202e']) assert.not.ok(text.includes(raw), text)
  assert.ok(text.includes('x\\u001b[8m\\u009b\\u202e'), text)
}

const avatar = ['avatar', 'generate', dog, '--species', 'dog', '--pose', 'lying', '--data-dir', dataDir]
for (const [what, output, args] of [
  ['the name of a pet in a new payload', 'stdout', ['payload', 'new', '--pet-name', hostile]],
  ['the name of a pet in new payloads', 'stdout', ['payload', 'new', '--count', '2', '--pet-name', hostile]],
  ['the folder in the command that continues to wait', 'stderr', [...avatar, '--wait', '--timeout', '0s']],
  ['the folder in the command that serves the pictures', 'stderr', [...avatar, '--wait']],
] as const) {
  control(`are escaped in ${what}`, async () => assertPrintable((await session.run(args, { cwd: folder }))[output]))
}

control('are escaped in the file of comments after the review', async () => {
  const comments = [
    {
      ...{ id: 'a', example: 'REST_NIGHT_POOR', locale: 'es', textId: 'REST_NIGHT_POOR', said: 'Anoche.' },
      ...{ pattern: 'Anoche.', comment: 'Softer?', by: 'rex', at: '2026-10-14T10:00:00.000Z' },
    },
  ]
  write(`${hostile}/comments.json`, JSON.stringify({ format: 'svc-insight-comments-1', ruleVersion: '', comments }))
  const { child, ended, nextLine } = startSvc(['insight', 'review', '--serve', '--no-open', '--folder', dataDir])
  const lines = [await nextLine(), await nextLine(), await nextLine(), await nextLine()]
  child.kill('SIGINT')
  assert.equal(await ended, { code: 0, signal: null }, lines.join('\n'))
  assertPrintable(await nextLine())
})

control('are escaped in the folder that a reset asks about', async () => {
  if (!hasTerminal()) return reportSkip(noTerminal)
  write(`${hostile}/svc.db`, '')
  const command = `"${process.execPath}" "${program}" data reset --data-dir "${dataDir}"`
  const { code, screen } = await runOnTerminal(command, [[/permanently\?/, '\r']])
  assert.is(code, 1, screen)
  assertPrintable(screen)
})

control.run()
