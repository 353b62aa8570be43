import { loadInsightCopy, readInsightTexts } from '../../catalog.js'
import { isSvcError } from '../../errors.js'
import type { Locale } from '../../insight/types.js'
import type { CommandResult } from '../command.js'
import { openStdout } from '../output/stream.js'
import { createPaint } from '../output/style.js'
import { toPrintable } from '../output/words.js'
import { type RenderFormatName, renderFormats } from './formats/index.js'
import { type RenderOptions, renderSources } from './render.js'
import { watchPaths } from './watch.js'

export interface RunRenderOptions {
  /** `en-XA`: English, accented and longer. */
  readonly locale: Locale | 'all' | 'en-XA' | undefined
  readonly format: RenderFormatName
  readonly explain: boolean
  readonly watch: boolean
  /** Each payload also with hard names and numbers. */
  readonly stress: boolean
}

/** `svc insight render`: prints the texts once, or anew at every change until Ctrl-C. */
export async function runRender(args: readonly string[], options: RunRenderOptions): Promise<CommandResult> {
  if (!options.watch) return renderOnce(args, options)
  const stop = new AbortController()
  process.once('SIGINT', () => stop.abort())
  process.once('SIGTERM', () => stop.abort())
  const renderAgain = async () => {
    if (process.stdout.isTTY) process.stdout.write('\u001b[2J\u001b[3J\u001b[H')
    await renderOnce(args, options).catch(tellError)
    process.stderr.write('Watching for changes; Ctrl-C ends.\n')
  }
  const paths = args.filter((arg) => arg !== '-')
  await watchPaths(paths, renderAgain, stop.signal)
  return 0
}

async function renderOnce(args: readonly string[], options: RunRenderOptions): Promise<CommandResult> {
  // Read anew each time: a reviewer who watches edits the catalog too.
  const texts = await chooseTexts(options)
  const { stdout } = process
  const output = openStdout(stdout)
  const renderer = renderFormats[options.format](output.write, {
    paint: createPaint(stdout),
    columns: stdout.isTTY ? stdout.columns : undefined,
  })
  const result = await renderSources(args, { renderer, output }, texts)
  await output.close()
  return result
}

async function chooseTexts({ explain, locale, stress }: RunRenderOptions): Promise<RenderOptions> {
  const vary = stress ? (await import('../../review/stress.js')).stressPayload : undefined
  if (locale !== 'en-XA') return { copy: await loadInsightCopy(), explain, locale, vary }
  const { bracketPseudo, createPseudoCopy, pseudoLocale } = await import('../../review/pseudo.js')
  return {
    copy: createPseudoCopy(readInsightTexts()),
    explain,
    locale: 'en-US',
    show: (insight) => ({ ...insight, locale: pseudoLocale, summary: bracketPseudo(insight.summary) }),
    vary,
  }
}

/** A text that is being edited may be broken for a moment. */
function tellError(error: unknown): void {
  if (!isSvcError(error)) throw error
  process.stderr.write(`svc: ${toPrintable(error.message)}\n`)
}
