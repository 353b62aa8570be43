import { once } from 'node:events'
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type RunningSvc, runNode, startSvc } from './svc.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

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

/** A copy of the built program, whose catalog a test may change, and the desk that it serves. */
export function copyDesk(folder: string) {
  copyProgram(folder)
  const program = join(folder, 'bin/svc.js')
  const env = { XDG_STATE_HOME: join(folder, 'state') }
  const read = (file: string) => readFileSync(join(folder, file), 'utf8')
  let desk: RunningSvc | undefined
  let closed: Promise<unknown> | undefined
  let printed = ''
  return {
    folder,
    /** Starts the desk and returns the address of its page. */
    async start(): Promise<string> {
      desk = startSvc(['insight', 'review', '--serve', '--no-open', '--folder', 'desk'], env, {
        file: program,
        cwd: folder,
      })
      printed = ''
      closed = once(desk.child, 'close')
      desk.child.stdout.setEncoding('utf8').on('data', (text) => {
        printed += text
      })
      for (;;) {
        const [url] = /http:\S+/.exec(await desk.nextLine()) ?? []
        if (url !== undefined) return url
      }
    },
    /** Ends the desk with a signal and returns what it printed since its start. */
    async end(signal: NodeJS.Signals): Promise<string> {
      desk?.child.kill(signal)
      await closed
      return printed
    },
    /** Runs `svc insight` to its end. */
    insight: (...args: string[]) => runNode([program, 'insight', ...args], { cwd: folder, env }),
    read,
    change: (file: string, from: string, to: string) => writeFileSync(join(folder, file), read(file).replace(from, to)),
  }
}
