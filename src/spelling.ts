/** Longer names are no slip of the pen. */
const nameLengthAtMost = 64

/** Whether `name` may be meant for `known`: spelt otherwise, or with a slip or two. */
export function isNear(name: string, known: string): boolean {
  if (name.length > nameLengthAtMost) return false
  const [one, other] = [toPlain(name), toPlain(known)]
  if (one === other) return true
  const allowed = known.length < 6 ? 1 : 2
  return Math.abs(one.length - other.length) <= allowed && editDistance(one, other) <= allowed
}

/** The name that was probably meant: the nearest, if it differs in no more than a third of its letters. */
export function findNearest(word: string, names: readonly string[]): string | undefined {
  let best: string | undefined
  let bestDistance = Math.max(1, Math.floor(word.length / 3)) + 1
  for (const name of names) {
    const distance = editDistance(word.toLowerCase(), name.toLowerCase())
    if (distance < bestDistance) {
      best = name
      bestDistance = distance
    }
  }
  return best
}

/** A word as a shell takes it. */
export function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

/** `a`, `a or b`, `a, b or c`. */
export function listWords(words: readonly string[], conjunction: 'and' | 'or'): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${conjunction} ${words.at(-1)}`
}

const toPlain = (name: string) => name.replaceAll(/[_\- ]/g, '').toLowerCase()

/** Letters to add, leave out, change or swap with the next to get from one text to the other. */
function editDistance(one: string, other: string): number {
  let before: readonly number[] = []
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++) {
      const change = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1)
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      const swap = isSwapped ? (before[j - 2] ?? 0) + 1 : change
      next.push(Math.min(change, swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    before = row
    row = next
  }
  return row[other.length] ?? 0
}
