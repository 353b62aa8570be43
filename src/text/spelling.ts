/** A longer name is not treated as a misspelling. */
const nameLengthAtMost = 128

/** True if `name` may mean `known`: it differs in case or separators, or by one or two typing errors. */
export function isNear(name: string, known: string): boolean {
  if (name.length > nameLengthAtMost) return false
  const [one, other] = [toPlain(name), toPlain(known)]
  if (one === other) return true
  const allowed = known.length < 6 ? 1 : 2
  return Math.abs(one.length - other.length) <= allowed && editDistance(one, other) <= allowed
}

/** Returns the nearest name if it differs in no more than a third of its letters; undefined for a long word. */
export function findNearest(word: string, names: readonly string[]): string | undefined {
  if (word.length > nameLengthAtMost) return undefined
  let best: string | undefined
  let bestDistance = Math.max(1, Math.floor(word.length / 3)) + 1
  for (const name of names) {
    if (Math.abs(word.length - name.length) >= bestDistance) continue
    const distance = editDistance(word.toLowerCase(), name.toLowerCase())
    if (distance < bestDistance) {
      best = name
      bestDistance = distance
    }
  }
  return best
}

/** Quotes a word for a shell if necessary. */
export function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

/** Joins words: `a`, `a or b`, `a, b or c`. */
export function listWords(words: readonly string[], conjunction: 'and' | 'or'): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${conjunction} ${words.at(-1)}`
}

const toPlain = (name: string) => name.replaceAll(/[_\- ]/g, '').toLowerCase()

/** Counts the letters to insert, delete, replace or swap with the next to turn one text into the other. */
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
