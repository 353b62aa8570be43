/** The type of a column. */
export type Type = 'text' | 'bigint' | 'integer'

/**
 * Collects the parameters of a statement. Rows are passed as one array per column, so the text is the same for any number of
 * rows, and is prepared once.
 */
export function createValues() {
  const values: unknown[] = []
  const add = (value: unknown): string => `$${values.push(value)}`
  return {
    values,
    add,
    /** Returns `unnest(…) as name (columns)`. */
    addRows<Column extends string>(
      name: string,
      columns: Readonly<Record<Column, Type>>,
      rows: readonly Readonly<Partial<Record<NoInfer<Column>, unknown>>>[],
    ): string {
      const names = Object.keys(columns) as Column[]
      const arrays = names.map((column) => `${add(rows.map((row) => row[column] ?? null))}::${columns[column]}[]`)
      return `unnest(${arrays.join(', ')}) as ${name} (${names.join(', ')})`
    },
  }
}
