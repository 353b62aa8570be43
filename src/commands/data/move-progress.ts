import { formatSize } from '../../text/size.js'
import { count } from '../../text/words.js'

const everyMs = 1000

/** Shows the progress of a move on standard error: a line per second at most, and one for each table that is done. */
export function createMoveProgress(stream: NodeJS.WriteStream = process.stderr) {
  const sums = new Map<string, number>()
  let shown = ''
  let shownAt = 0
  const show = (what: string) => {
    const amount = sums.get(what) ?? 0
    const text = what === 'objects' ? formatSize(amount) : count(amount, 'row')
    stream.write(`${what}: ${text}\n`)
    shownAt = performance.now()
  }
  return (what: string, amount: number): void => {
    sums.set(what, (sums.get(what) ?? 0) + amount)
    if (what !== shown && shown !== '') show(shown)
    else if (performance.now() - shownAt > everyMs) show(what)
    shown = what
  }
}
