import getWidth from 'fast-string-width'

/** A column of a table. */
export interface Column {
  readonly title: string
  readonly isNumber?: true
  /** True if its cells are cut on a narrow terminal, the longest column first. Others, such as IDs, are never cut. */
  readonly isCut?: true
  /** True if the column is left out where cutting does not suffice, the last column first. */
  readonly isLeftOut?: true
}

const gap = '  '
/** A column is not cut below this width. */
const cutWidthAtLeast = 8

/**
 * Renders rows below a header, in aligned columns. With the width of a terminal, cuts columns and then leaves some out, until
 * a line fits, if that suffices. A column whose cells are all empty is left out.
 */
export function renderTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width?: number,
): string[] {
  const used = columns.map((_, index) => rows.some((row) => row[index] !== ''))
  const keep = <T>(list: readonly T[]) => list.filter((_, index) => used[index])
  const lines = [columns.map(({ title }) => title), ...rows].map(keep)
  const widths = fit(keep(columns), measure(lines), width)
  const shown = keep(columns)
  const last = shown.findLastIndex(({ isLeftOut }) => isLeftOut)
  if (width !== undefined && last !== -1 && sum(widths) > width) {
    const others = <T>(list: readonly T[]) => list.filter((_, index) => index !== last)
    return renderTable(others(shown), lines.slice(1).map(others), width)
  }
  return lines.map((line) =>
    line
      .map((cell, index) => pad(cell, widths[index] ?? 0, shown[index]?.isNumber === true))
      .join(gap)
      .trimEnd(),
  )
}

/** Cuts or pads a text to a width. */
export function fitText(text: string, width: number): string {
  const kept = cut(text, width)
  return kept + ' '.repeat(Math.max(0, width - getWidth(kept)))
}

/** Cuts a text to a width, with an ellipsis. */
function cut(text: string, width: number): string {
  if (getWidth(text) <= width) return text
  let kept = ''
  for (const character of text) {
    if (getWidth(kept + character) > width - 1) break
    kept += character
  }
  return `${kept}…`
}

function measure(lines: readonly (readonly string[])[]): number[] {
  return (lines[0] ?? []).map((_, index) => Math.max(...lines.map((line) => getWidth(line[index] ?? ''))))
}

/** Narrows the widest column that may be cut until the line fits. */
function fit(columns: readonly Column[], widths: readonly number[], width = Number.POSITIVE_INFINITY): number[] {
  const fitted = [...widths]
  const total = () => sum(fitted)
  while (total() > width) {
    const candidates = fitted.map((one, index) => (columns[index]?.isCut === true ? one : 0))
    const widest = Math.max(...candidates)
    if (widest <= cutWidthAtLeast) break
    fitted[candidates.indexOf(widest)] = Math.max(cutWidthAtLeast, widest - (total() - width))
  }
  return fitted
}

/** Returns the width of a line. */
const sum = (widths: readonly number[]) => widths.reduce((total, one) => total + one + gap.length, -gap.length)

function pad(cell: string, width: number, isNumber: boolean): string {
  return isNumber ? ' '.repeat(Math.max(0, width - getWidth(cell))) + cell : fitText(cell, width)
}
