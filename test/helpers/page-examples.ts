import { type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const languages = ['curl', 'TypeScript', 'Python'] as const

export type Language = (typeof languages)[number]

/** An example of the guide /api-docs. */
export interface PageExample {
  readonly name: string
  /** The status of the last call according to the page; empty if the code prints it. */
  readonly status: string
  readonly code: Readonly<Record<Language, string>>
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
    const blocks = [...content.matchAll(/<code>(.*?)<\/code>/gs)].map(([, text = '']) => toText(text))
    const [curl = '', typeScript = '', python = '', answer = ''] = blocks
    return {
      name,
      status,
      code: { curl, TypeScript: typeScript, Python: python },
      answer: answer.trimEnd().split('\n'),
    }
  })
}

/** Returns the text of HTML without tags. */
export function toText(html: string): string {
  const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' }
  return html.replaceAll(/&(#?\w+);/g, (entity, name: string) => entities[name] ?? entity)
}

/**
 * Returns the lines that an example prints: the answer on the page, or what comments of its code say.
 * A program prints an error with its status.
 */
export function listExpected({ answer, code, status }: PageExample, language: Language): readonly string[] {
  const comments = [...code[language].matchAll(/^\s*(?:console\.log|print)\(.*\) {1,2}(?:\/\/|#) (.*)$/gm)]
  if (language !== 'curl' && comments.length > 0) return comments.map(([, text = '']) => text)
  const isError = language !== 'curl' && Number(status) >= 400
  return answer
    .map((line) => (line.trim() === '…' ? '…' : line))
    .map((line, index) => (index === 0 && isError ? `${status} ${line}` : line))
}

/** Runs the code of all examples in order, in one process with the environment, in a folder of its own. */
export async function runExamples(
  language: Language,
  examples: readonly PageExample[],
  folder: string,
  environment: Readonly<Record<string, string>>,
): Promise<readonly ExampleRun[]> {
  const codes = examples.map(({ code }) => code[language])
  return { curl: runCurl, TypeScript: runTypeScript, Python: runPython }[language](codes, {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, ...environment },
    timeout: 300_000,
  })
}

interface Place extends SpawnOptions {
  readonly cwd: string
}

/** Runs commands with real curl; `CURL_HOME` makes it print the statuses. */
async function runCurl(codes: readonly string[], place: Place): Promise<readonly ExampleRun[]> {
  writeFileSync(join(place.cwd, '.curlrc'), 'write-out = "%{stderr}%{http_code}\\n"\n')
  const script = codes.map((code, index) => `{ :\n${code}\n} > out-${index} 2> err-${index} < /dev/null\n`)
  writeFileSync(join(place.cwd, 'guide.sh'), script.join(''))
  await run('bash', ['guide.sh'], { ...place, env: { ...place.env, CURL_HOME: place.cwd } })
  return codes.map((_, index) => {
    const errors = readFileSync(join(place.cwd, `err-${index}`), 'utf8')
    return {
      output: toLines(readFileSync(join(place.cwd, `out-${index}`), 'utf8')),
      status: errors.trim().split('\n').at(-1) ?? '',
      errors,
    }
  })
}

async function runTypeScript(codes: readonly string[], place: Place): Promise<readonly ExampleRun[]> {
  const [setup = '', ...others] = codes
  const program = [
    setup,
    'const outputs: string[] = []',
    'console.log = (...values) => {',
    "  const text = values.map((value) => (typeof value === 'object' ? JSON.stringify(value, null, 2) : value)).join(' ')",
    "  outputs[outputs.length - 1] += text + '\\n'",
    '}',
    "import { writeFileSync } from 'node:fs'",
    "process.on('exit', () => writeFileSync('outputs.json', JSON.stringify(outputs)))",
    "outputs.push('')",
    ...others.flatMap((code) => ["outputs.push('')", code]),
  ]
  writeFileSync(join(place.cwd, 'guide.ts'), program.join('\n'))
  const loader = import.meta.resolve('tsx')
  return readOutputs(codes, place, await run(process.execPath, ['--import', loader, 'guide.ts'], place))
}

async function runPython(codes: readonly string[], place: Place): Promise<readonly ExampleRun[]> {
  const [setup = '', ...others] = codes
  const program = [
    setup,
    'import atexit',
    'outputs = [""]',
    'def print(*values):',
    '    texts = [json.dumps(value, indent=2, ensure_ascii=False) if isinstance(value, (dict, list)) else str(value) for value in values]',
    '    outputs[-1] += " ".join(texts) + "\\n"',
    'atexit.register(lambda: Path("outputs.json").write_text(json.dumps(outputs)))',
    ...others.flatMap((code) => ['outputs.append("")', code]),
  ]
  writeFileSync(join(place.cwd, 'guide.py'), program.join('\n'))
  return readOutputs(codes, place, await run('python3', ['guide.py'], place))
}

/** Reads the outputs of the examples up to the one that failed. */
function readOutputs(codes: readonly string[], { cwd }: Place, errors: string): readonly ExampleRun[] {
  const file = join(cwd, 'outputs.json')
  const outputs: readonly string[] = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : []
  return codes.map((_, index) => ({
    output: outputs[index] ?? 'it did not run\n',
    status: '',
    errors: index >= outputs.length - 1 ? errors : '',
  }))
}

/** Runs a program to its end, and returns what it prints on standard error. */
async function run(command: string, args: readonly string[], place: Place): Promise<string> {
  const child = spawn(command, args, { ...place, stdio: ['ignore', 'ignore', 'pipe'] })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errors += text
  })
  await once(child, 'close')
  return errors
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
