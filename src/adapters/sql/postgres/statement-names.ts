/** Lists of values make many texts, and the server keeps a named statement as long as its connection. */
const namesAtMost = 300

export interface StatementNames {
  /** Returns the same name for the same text; undefined if there are too many. */
  nameOf(text: string): string | undefined
  /** Gives all texts new names. */
  forget(): void
}

/** Names statements, which a connection prepares once. Transactions need no names: the server does not plan them. */
export function createStatementNames(): StatementNames {
  const names = new Map<string, string>()
  let made = 0
  return {
    nameOf(text) {
      const known = names.get(text)
      if (known !== undefined || names.size >= namesAtMost || isPlain.test(text)) return known
      const name = `svc_${++made}`
      names.set(text, name)
      return name
    },
    forget: () => names.clear(),
  }
}

const isPlain = /^(begin|commit|rollback|start transaction)/
