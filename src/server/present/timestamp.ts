let lastTime = Number.NaN
let lastText = ''

/** Formats epoch milliseconds as ISO 8601 in UTC. Keeps the last text: formatting takes longer than routing, and many calls share a millisecond. */
export function toTimestamp(time: number): string {
  if (time !== lastTime) {
    lastText = new Date(time).toISOString()
    lastTime = time
  }
  return lastText
}
