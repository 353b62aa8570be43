import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { cleanEnvironment, runNode } from './svc.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A copy of the built program, whose catalog a test may change, and the desk that it serves. */
export interface DeskCopy {
  readonly folder: string
  /** Starts the desk and returns the address of its page. */
  start(): Promise<string>
  /** Ends the desk with a signal and returns what it printed since its start. */
  end(signal: NodeJS.Signals): Promise<string>
  /** Runs `svc insight` to its end. */
  insight(...args: string[]): ReturnType<typeof runNode>
  read(file: string): string
  change(file: string, from: string, to: string): void
}

/** The texts that tests of commands and pages use: an edit of a text in `catalog/` breaks no such test. */
export const testTexts = new URL('../copydesk/catalog/', import.meta.url)

/** The payloads of a copy: one for each sentence, and those that show a text or a case of it. A check reads each in three languages. */
export const isKept =
  /^(\w+|REST_NIGHT_(POOR|UNRATED)\.[\w-]+|\w+\.general-basis|ACTIVITY_DAY_UNRATED\.baseline-of-one-day|INSUFFICIENT_DATA\.device-not-worn)\.json$/

/** Copies the built program with the texts of tests and a part of the payloads, and signs the texts. */
export function copyProgram(folder: string): void {
  const filter = (path: string) => !path.includes('/fixtures/insight/') || isKept.test(basename(path))
  for (const part of ['bin', 'dist', 'catalog', 'fixtures', 'package.json']) {
    cpSync(join(root, part), join(folder, part), { recursive: true, filter })
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const texts = join(folder, 'catalog/insight')
  cpSync(testTexts, texts, { recursive: true })
  const { ruleVersion, catalog } = JSON.parse(readFileSync(join(texts, 'version.json'), 'utf8'))['en-US']
  const labels = { 'health-detail-copy-2026.1': catalog.replace(/../, '00'), [ruleVersion]: catalog }
  writeFileSync(join(texts, 'signoff.json'), JSON.stringify({ labels, wording: '', texts: {}, answers: {} }))
  const args = [join(folder, 'bin/svc.js'), 'insight', 'sign', '--by', 'svc team', '--yes']
  const { status, stderr } = runNode(args, { cwd: folder })
  if (status !== 0) throw new Error(`the texts of the tests cannot be signed: ${stderr}`)
}

export function copyDesk(folder: string): DeskCopy {
  copyProgram(folder)
  const drafts = join(folder, 'state')
  const program = join(folder, 'bin/svc.js')
  const env = { XDG_STATE_HOME: drafts }
  const read = (file: string) => readFileSync(join(folder, file), 'utf8')
  let child: ChildProcess | undefined
  let printed = ''
  return {
    folder,
    start: async () => {
      const args = [program, 'insight', 'review', '--serve', '--no-open', '--folder', 'desk']
      const started = spawn(process.execPath, args, {
        cwd: folder,
        env: cleanEnvironment(env),
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      child = started
      printed = ''
      for await (const line of createInterface({ input: started.stdout })) {
        printed += `${line}\n`
        const [url] = /http:\S+/.exec(line) ?? []
        if (url === undefined) continue
        started.stdout.setEncoding('utf8').on('data', (text) => {
          printed += text
        })
        return url
      }
      throw new Error(`the desk did not start: ${printed}`)
    },
    end: async (signal) => {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return printed
      const closed = once(child, 'close')
      child.kill(signal)
      await closed
      return printed
    },
    insight: (...args) => runNode([program, 'insight', ...args], { cwd: folder, env }),
    read,
    change: (file, from, to) => writeFileSync(join(folder, file), read(file).replace(from, to)),
  }
}
