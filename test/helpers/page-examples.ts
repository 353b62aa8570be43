import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** An example of the page /api-docs. */
export interface PageExample {
  readonly name: string
  /** The status of the last call according to the page; empty if the command prints it. */
  readonly status: string
  readonly command: string
  /** Lines as in the README: `…` replaces omitted text. */
  readonly answer: readonly string[]
}

export interface ExampleRun {
  readonly output: string
  readonly status: string
  readonly errors: string
}

/** Reads the examples of a built page, in order. */
export function readPageExamples(html: string): PageExample[] {
  const figures = html.matchAll(/<figure class="example" data-name="([^"]*)" data-status="(\d*)">(.*?)<\/figure>/gs)
  return [...figures].map(([, name = '', status = '', content = '']) => {
    const [command = '', answer = ''] = [...content.matchAll(/<code>(.*?)<\/code>/gs)].map(([, text = '']) => text)
    return { name, status, command: toText(command), answer: toText(answer).trimEnd().split('\n') }
  })
}

function toText(html: string): string {
  const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' }
  return html.replaceAll(/&(#?\w+);/g, (entity, name: string) => entities[name] ?? entity)
}

/** Runs the commands in order in one shell, with real curl; `CURL_HOME` makes it print the statuses. */
export function runExamples(
  examples: readonly PageExample[],
  folder: string,
  environment: Readonly<Record<string, string>>,
): ExampleRun[] {
  writeFileSync(join(folder, '.curlrc'), 'write-out = "%{stderr}%{http_code}\\n"\n')
  const script = examples.map(({ command }, index) => `{ ${command}\n} > out-${index} 2> err-${index} < /dev/null\n`)
  spawnSync('bash', [], {
    input: script.join(''),
    cwd: folder,
    env: { PATH: process.env.PATH, CURL_HOME: folder, HOME: folder, ...environment },
    timeout: 120_000,
  })
  return examples.map((_, index) => {
    const errors = readFileSync(join(folder, `err-${index}`), 'utf8')
    return {
      output: toLines(readFileSync(join(folder, `out-${index}`), 'utf8')),
      status: errors.trim().split('\n').at(-1) ?? '',
      errors,
    }
  })
}

/** Formats an answer as the page shows it: indented JSON, also after headers. */
function toLines(output: string): string {
  const [head, body] = output.startsWith('HTTP/') ? output.split('\r\n\r\n') : ['', output]
  const lines = [...(head === '' ? [] : [head?.replaceAll('\r', ''), '']), indent(body ?? '')]
  return lines.join('\n')
}

function indent(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    // Not JSON: unchanged.
    return text
  }
}
