import { Marked } from 'marked'
import { escapeHtml } from '../../text/html.js'
import { type ExampleCall, type GuideExample, type Language, languages, readExample, type Save } from './example.js'
import { renderProgram, type Saves } from './snippets/programs.js'

/**
 * Renders a text in Markdown as HTML. Headings get an ID from their words and a link to themselves. A block
 * `call NAME STATUS` is an example, with the response that its code prints. Adds the values that its examples save to `saves`.
 */
export function renderText(markdown: string, saves: Map<string, Save>): string {
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const title = this.parser.parseInline(tokens)
        const id = toId(title)
        const label = escapeHtml(`Link to “${title.replaceAll(/<[^>]+>/g, '')}”`)
        return `<h${depth} id="${id}">${title}<a class="anchor" href="#${id}" aria-label="${label}">#</a></h${depth}>`
      },
      // A line must not end within the name of a flag.
      codespan: ({ text }) => code(text).replaceAll(/--[\w-]+/g, '<span class="flag">$&</span>'),
      code({ text, lang = '' }) {
        const [kind = '', name = '', status = ''] = lang.split(' ')
        if (kind === 'file') return `<p class="file">${code(name)}</p>${renderCopyable(renderBlock(text, kind, name))}`
        if (kind === 'bash' || kind === 'sh') return renderCopyable(renderBlock(text, kind))
        if (kind !== 'call') return renderBlock(text, kind)
        const example = readExample(name, status, text)
        const html = renderExample(example, saves)
        for (const save of example.call?.saves ?? []) saves.set(save.name, save)
        return html
      },
    },
  })
  return String(marked.parse(markdown))
}

const code = (text: string) => `<code>${escapeHtml(text)}</code>`

function toId(title: string): string {
  return title
    .replaceAll(/<[^>]+>|&\w+;/g, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}

function renderExample(example: GuideExample, saves: Saves): string {
  const { name, status, answer } = example
  return [
    `<figure class="example" data-name="${name}" data-status="${status}">`,
    `<figcaption class="hidden" id="example-${name}">Example: ${name}</figcaption>`,
    `<div class="tabs" role="tablist" aria-label="Language of ${name}">`,
    ...languages.map((language) => renderTab(name, language)),
    '</div>',
    ...languages.map((language) => renderPanel(name, language, renderCode(example, language, saves))),
    status === '' ? '' : `<p class="status">Answer: <b class="status-${status[0]}">${status}</b></p>`,
    answer === '' ? '' : renderBlock(answer, 'answer', `Answer: ${name}`),
    '</figure>\n',
  ].join('')
}

function renderCode({ call, code: written, status }: GuideExample, language: Language, saves: Saves): string {
  if (call === undefined) return written?.[language] ?? ''
  return language === 'curl' ? renderCurl(call) : renderProgram(language, call, status, saves)
}

/** The page selects the tab of the language that the reader chose last. */
function renderTab(name: string, language: Language): string {
  const isFirst = language === languages[0]
  return `<button type="button" role="tab" id="${name}-${language}-tab" aria-controls="${name}-${language}" aria-selected="${isFirst}" tabindex="${isFirst ? 0 : -1}" data-tab="${language}">${language}</button>`
}

function renderPanel(name: string, language: Language, text: string): string {
  const block = renderCopyable(
    renderBlock(text, 'command', `${language}: ${name}`),
    // The caption names the example for screen readers.
    ` aria-describedby="example-${name}"`,
  )
  return `<div role="tabpanel" id="${name}-${language}" aria-labelledby="${name}-${language}-tab" data-panel="${language}">${block}</div>`
}

function renderBlock(text: string, kind: string, label = 'Code'): string {
  return `<pre class="${kind || 'text'}" tabindex="0" role="group" aria-label="${label}">${code(text)}</pre>\n`
}

/** Adds a button. It is not made by the script: a button that comes later would move the text below it. */
function renderCopyable(block: string, describedBy = ''): string {
  return `<div class="copyable">${block}<button type="button" class="quiet small copy"${describedBy}>Copy</button></div>\n`
}

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
