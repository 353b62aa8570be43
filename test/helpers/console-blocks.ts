/** A command of a ```console block and the output that the page shows for it. */
export interface ConsoleExample {
  readonly command: string
  /** Lines; `…` alone matches any lines, `…` inside a line any characters. Empty: any output. */
  readonly expected: readonly string[]
}

/** Reads the commands of all ```console blocks of a Markdown page, in order. */
export function readConsoleExamples(markdown: string): ConsoleExample[] {
  const blocks = [...markdown.matchAll(/^```console\n(.*?)^```/gms)].map((match) => match[1] ?? '')
  return blocks.flatMap((block) =>
    block
      .split(/^\$ /m)
      .filter((part) => part.trim() !== '')
      .map((part) => {
        const [command = '', ...expected] = part.replace(/\n+$/, '').split('\n')
        return { command, expected }
      }),
  )
}

/** True if the output matches the page, which has ordinary spaces before units. */
export function matchesExpected(output: string, expected: readonly string[]): boolean {
  const quote = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const pattern = expected
    .map((line) => (line === '…' ? '(?:.*\\n)*?' : `${line.split('…').map(quote).join('.*')}\\n`))
    .join('')
  return new RegExp(`^${pattern}$`).test(`${output.trimEnd().replaceAll('\u00A0', ' ')}\n`)
}
