let lastTime = Number.NaN
let lastText = ''

/** ISO 8601, UTC. Many calls fall into one millisecond, and to write it takes longer than to find their route. */
export function toTimestamp(time: number): string {
  if (time !== lastTime) {
    lastText = new Date(time).toISOString()
    lastTime = time
  }
  return lastText
}
