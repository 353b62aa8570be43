import type { ExampleCall } from '../example.js'

/** The server in the texts; a page shows the address of its own. */
const base = 'http://127.0.0.1:8787'

/** Renders an example as commands for a POSIX shell with curl. */
export function renderCurl(call: ExampleCall): string {
  const { method, path, form, json, downloads, saves, isPolled, isKeyless } = call
  const keyHeader = isKeyless ? [] : ['-H "Authorization: Bearer $SVC_API_KEY"']
  const url = /[?$]/.test(path) ? `"${base}${path}"` : `${base}${path}`
  const file = `${toFileName(saves[0]?.answer ?? 'task')}.json`
  const lines = downloads.map(({ path: source, file: target }) => `curl -sS -o ${target} ${base}${source}`)
  if (isPolled) {
    const query = `while ${wrap(['curl -sS', ...keyHeader, url])} |\n  tee ${file} | grep -q '"poll_after_seconds":[0-9]'`
    lines.push(`${query}; do sleep 3; done`, `cat ${file}`)
  } else {
    const hasBody = form.length > 0 || json !== undefined
    const words = [
      'curl -sS',
      ...(method === 'GET' || hasBody ? [] : [`-X ${method}`]),
      ...keyHeader,
      ...(json === undefined ? [] : ['-H "Content-Type: application/json"']),
      url,
      ...form.map(([name, value]) => `-F ${name}=${value}`),
    ]
    const kept = saves.length === 0 ? '' : ` | tee ${file}`
    if (json === undefined) lines.push(wrap(words) + kept)
    else if (/[\n$']/.test(json)) lines.push(`${wrap([...words, '-d @- <<END'])}${kept}`, json, 'END')
    else lines.push(wrap([...words, `-d '${json}'`]) + kept)
  }
  for (const { name, pattern } of saves) lines.push(`${name}=$(grep -o '${pattern}' ${file} | head -1)`)
  return lines.join('\n')
}

/** Joins words to lines that fit on the page. */
function wrap(words: readonly string[]): string {
  const lines: string[] = []
  let line = ''
  for (const word of words) {
    const longer = line === '' ? word : `${line} ${word}`
    if (longer.length <= 100 || line === '') line = longer
    else {
      lines.push(line)
      line = `  ${word}`
    }
  }
  return [...lines, line].join(' \\\n')
}

const toFileName = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
