import { loadInsightCopy, readInsightTexts } from '../../catalog/catalog.js'
import { findCatalogFolder } from '../../copydesk/review-input.js'
import { isSvcError } from '../../errors.js'
import type { Locale } from '../../insight/types.js'
import { type RenderOptions, renderPayloads } from '../../payload-files/render-payloads.js'
import { watchPaths } from '../../payload-files/watch.js'
import { type RenderFormatName, renderFormats } from '../../reports/insight/index.js'
import { openStdout } from '../../runtime/output.js'
import { createPaint } from '../../runtime/style.js'
import { toPrintable } from '../../text/words.js'
import type { CommandResult } from '../command.js'
import { printProblem } from '../print-problem.js'

export interface RunRenderOptions {
  /** `en-XA` is the pseudo-locale: English, accented and longer. */
  readonly locale?: Locale | 'all' | 'en-XA'
  readonly format: RenderFormatName
  readonly explain?: boolean
  readonly watch?: boolean
  /** True: render each payload also with difficult names and numbers. */
  readonly stress?: boolean
}

/** `svc insight render`: prints the texts once, or with `watch` after every change until Ctrl-C. */
export async function runRender(args: readonly string[], options: RunRenderOptions): Promise<CommandResult> {
  if (!options.watch) return renderOnce(args, options)
  const stop = new AbortController()
  process.once('SIGINT', () => stop.abort())
  process.once('SIGTERM', () => stop.abort())
  const renderAgain = async () => {
    if (process.stdout.isTTY) process.stdout.write('\u001b[2J\u001b[3J\u001b[H')
    await renderOnce(args, options).catch(tellError)
    process.stderr.write('Watching for changes; press Ctrl-C to stop.\n')
  }
  const paths = [findCatalogFolder(), ...args.filter((arg) => arg !== '-')]
  await watchPaths(paths, renderAgain, stop.signal)
  return 0
}

async function renderOnce(args: readonly string[], options: RunRenderOptions): Promise<CommandResult> {
  // Read again each time: a reviewer who watches may edit the catalog.
  const texts = await chooseTexts(options)
  const { stdout } = process
  const output = openStdout(stdout)
  const renderer = renderFormats[options.format](output.write, {
    paint: createPaint(stdout),
    columns: stdout.isTTY ? stdout.columns : undefined,
  })
  const result = await renderPayloads(args, { renderer, output, onProblem: printProblem }, texts)
  await output.close()
  return result
}

async function chooseTexts({ explain, locale, stress }: RunRenderOptions): Promise<RenderOptions> {
  const vary = stress ? (await import('../../copydesk/examples/stress.js')).stressPayload : undefined
  if (locale !== 'en-XA') return { copy: await loadInsightCopy(), explain, locale, vary }
  const { bracketPseudo, createPseudoCopy, pseudoLocale } = await import('../../copydesk/pseudo.js')
  return {
    copy: createPseudoCopy(readInsightTexts()),
    explain,
    locale: 'en-US',
    show: (insight) => ({ ...insight, locale: pseudoLocale, summary: bracketPseudo(insight.summary) }),
    vary,
  }
}

/** A text is often invalid for a moment while it is edited. */
function tellError(error: unknown): void {
  if (!isSvcError(error)) throw error
  process.stderr.write(`svc: ${toPrintable(error.message)}\n`)
}
