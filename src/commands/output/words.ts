/** `1 payload`, `2 payloads`, `1,000 payloads`. */
export function count(amount: number, singular: string, plural = `${singular}s`): string {
  return `${String(amount).replace(/\B(?=(\d{3})+$)/g, ',')} ${amount === 1 ? singular : plural}`
}

/** A text as a terminal may have it: what would move the cursor or ring the bell becomes a replacement character. */
export function toPrintable(text: string): string {
  return text.replace(/\p{Cc}/gu, '\uFFFD')
}

/** The name that was probably meant: the nearest, if it differs in no more than a third of its letters. */
export function findNearest(word: string, names: readonly string[]): string | undefined {
  let best: string | undefined
  let bestDistance = Math.max(2, Math.ceil(word.length / 3)) + 1
  for (const name of names) {
    const distance = editDistance(word.toLowerCase(), name.toLowerCase())
    if (distance < bestDistance) {
      best = name
      bestDistance = distance
    }
  }
  return best
}

function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      const swap = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1)
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}
