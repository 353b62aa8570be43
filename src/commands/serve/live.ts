import type { App } from '../../app.js'
import type { Config } from '../../config.js'
import { isOwnCall } from '../../log/call-source.js'
import type { RequestEntry } from '../../log/request-log.js'
import { createPaint } from '../../runtime/style.js'
import { listWords } from '../../text/spelling.js'
import { count } from '../../text/words.js'
import { createRenderer } from '../logs/render.js'

/** Prints each call of the API as one line that fits the terminal. */
export function createCallPrinter(stream: NodeJS.WriteStream): (call: RequestEntry) => void {
  const render = createRenderer(createPaint(stream), { findWidth: () => stream.columns, hasDates: false })
  return (call) => {
    // Only `svc logs` names the rules that a body breaks.
    const { violations, warnings, error, ...line } = call
    if (!isOwnCall(call)) stream.write(`${render([line]).join('\n')}\n`)
  }
}

/** Says what a stop waits for; undefined if it ends at once. */
export function describeStop(
  { units, calls }: Awaited<ReturnType<App['findWork']>>,
  seconds: number,
): string | undefined {
  const clips = units.filter((kind) => kind === 'animation').length
  const pictures = units.length - clips
  const work = [
    ...(pictures > 0 ? [count(pictures, 'picture')] : []),
    ...(clips > 0 ? [count(clips, 'clip')] : []),
    ...(calls > 0 ? [count(calls, 'call')] : []),
  ]
  if (work.length === 0) return undefined
  return `Finishing ${listWords(work, 'and')}, at most ${seconds} s; Ctrl-C again stops now.`
}

/** Says what becomes of the pictures and clips that a stop leaves; undefined if everything is finished. */
export function describeLeft(
  left: number,
  { database, provider }: Pick<Config, 'database' | 'provider'>,
): string | undefined {
  if (left === 0) return undefined
  const work = left === 1 ? '1 picture or clip is' : `${left} pictures and clips are`
  const maker =
    database === '' ? 'the next start on this data directory' : 'another process of the database, or the next start,'
  const cost =
    provider === 'stub'
      ? ''
      : ' A call to a model that was cut off may be paid: its picture is then bought again, its clip is lost.'
  return `${work} unfinished: ${maker} makes ${left === 1 ? 'it' : 'them'}.${cost}`
}
