import type { PayloadResult } from './result.js'

/** Keeps the first `maximum` violations of a run, errors of a payload before its warnings, and counts the rest. */
export function limitViolations(maximum = Number.POSITIVE_INFINITY) {
  let left = maximum
  let notShown = 0
  const cut = <Item>(items: readonly Item[]): readonly Item[] => {
    const shown = items.length <= left ? items : items.slice(0, left)
    left -= shown.length
    notShown += items.length - shown.length
    return shown
  }
  return {
    take: (result: PayloadResult): PayloadResult => {
      const errors = cut(result.errors)
      return { ...result, errors, warnings: cut(result.warnings) }
    },
    notShown: () => notShown,
  }
}
