/** Counts the turns of the main loop until the work ends. */
export async function countTurns<T>(work: Promise<T>): Promise<readonly [result: T, turns: number]> {
  let count = 0
  let isOver = false
  const turn = () => {
    count += 1
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  const result = await work
  isOver = true
  return [result, count]
}
