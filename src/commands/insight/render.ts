import { type FSWatcher, watch } from 'node:fs'
import { basename, dirname } from 'node:path'
import { loadInsightCopy, readInsightTexts } from '../../catalog/catalog.js'
import { findCatalogFolder } from '../../copydesk/review-input.js'
import { isSvcError, SvcError } from '../../errors.js'
import type { Locale } from '../../insight/types.js'
import { type RenderOptions, renderPayloads } from '../../payload-files/render-payloads.js'
import { findStats, isPattern, toPatternFolder } from '../../payload-files/sources.js'
import { type RenderFormatName, renderFormats } from '../../reports/insight/index.js'
import { openStdout } from '../../runtime/output.js'
import { reasonOf } from '../../runtime/reason.js'
import { createPaint } from '../../runtime/style.js'
import { type CommandResult, printProblem } from '../command.js'

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
  printProblem({ message: error.message })
}

/** One save may write several times within this time. */
const debounceMs = 60

/**
 * Calls `onChange` at once, and again whenever a file that the arguments name is saved, until `signal` aborts.
 * Rejects with `invalid_request` for a folder that cannot be watched, and with any error of `onChange`.
 */
export async function watchPaths(
  args: readonly string[],
  onChange: () => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const watchers: FSWatcher[] = []
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  try {
    await new Promise<void>((resolve, reject) => {
      const run = () => {
        running = running.then(onChange).catch(reject)
      }
      const notify = () => {
        clearTimeout(timer)
        timer = setTimeout(run, debounceMs)
      }
      for (const arg of args) {
        watchers.push(watchTarget(toTarget(arg), notify, reject))
      }
      if (signal.aborted) resolve()
      signal.addEventListener('abort', () => resolve(), { once: true })
      run()
    })
  } finally {
    clearTimeout(timer)
    for (const watcher of watchers) watcher.close()
    await running
  }
}

interface WatchTarget {
  readonly folder: string
  readonly recursive: boolean
  /** The file to watch in the folder; undefined: all files, including new ones. */
  readonly name?: string
}

/** Watches a file through its folder, because editors replace the file when they save. */
function toTarget(arg: string): WatchTarget {
  if (findStats(arg)?.isDirectory()) return { folder: arg, recursive: true }
  return isPattern(arg) ? toPatternFolder(arg) : { folder: dirname(arg), recursive: false, name: basename(arg) }
}

function watchTarget(
  { folder, recursive, name }: WatchTarget,
  notify: () => void,
  onError: (error: unknown) => void,
): FSWatcher {
  try {
    return watch(folder, { recursive }, (_event, changed) => {
      if (name === undefined || changed === null || changed === name) notify()
    }).on('error', (error: NodeJS.ErrnoException) => {
      // A subfolder was deleted while it was read.
      if (error.code !== 'ENOENT') onError(toWatchError(folder, error))
    })
  } catch (error) {
    throw toWatchError(folder, error)
  }
}

function toWatchError(folder: string, cause: unknown): SvcError {
  // For a watch, ENOSPC means the limit of watches, not a full disk.
  const isFull = cause instanceof Error && 'code' in cause && cause.code === 'ENOSPC'
  const reason = isFull ? 'the system limit of watched files is reached' : reasonOf(cause)
  return new SvcError('invalid_request', `${folder} cannot be watched: ${reason}.`, { cause })
}
