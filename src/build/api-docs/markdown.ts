import { writeFileSync } from 'node:fs'
import { readExample } from './example.js'
import { renderCurl } from './text.js'

/** A page of the guide as it is written. */
export interface MarkdownPage {
  /** The address is `/api-docs/NAME.md`. */
  readonly name: string
  readonly group: string
  readonly title: string
  readonly text: string
  /** The IDs of its headings, the first one of its title. */
  readonly ids: readonly string[]
}

/**
 * Writes the guide for programs that read text: each page as Markdown, with its examples in curl, and `/llms.txt`, which lists
 * them. All addresses are relative, for a proxy that serves below a path.
 * Source: llmstxt.org.
 */
export function writeMarkdown(pages: readonly MarkdownPage[], guide: URL): void {
  for (const page of pages) writeFileSync(new URL(`${page.name}.md`, guide), renderPage(page, pages))
  const groups = [...new Set(pages.map(({ group }) => group))].map((group) =>
    renderSection(
      group,
      pages.filter((page) => page.group === group).map((page) => [page.title, `${page.name}.md`, describe(page)]),
    ),
  )
  writeFileSync(
    new URL('../llms.txt', guide),
    `${[intro, ...groups, renderSection(...machineReadable)].join('\n\n')}\n`,
  )
}

const intro = `# svc

> HTTP and JSON gateway for AI-backed pet features: pictures and clips of a pet from one photo, diary pictures, cards for a home page, and paragraphs about a pet’s health in Chinese, English and Spanish.

Calls need the header \`Authorization: Bearer <key>\`. The examples of the pages are commands for curl; \`$NAME\` is a value that an earlier one has saved.`

type Link = readonly [title: string, file: string, description: string]

const machineReadable: readonly [string, Link[]] = [
  'Machine-readable',
  [
    ['OpenAPI 3.1', '../openapi.json', 'every call with its fields, errors and examples'],
    [
      'JSON Schema of a payload',
      '../health-detail-v3.schema.json',
      'the structure of the body of a health detail insight',
    ],
    ['Client in TypeScript', 'svc.ts', 'one file for Node.js that repeats, waits and polls as the guide says'],
    ['Client in Python', 'svc.py', 'the same, with nothing but the standard library'],
  ],
]

function renderSection(title: string, links: readonly Link[]): string {
  const items = links.map(([name, file, description]) => {
    return `- [${name}](${`api-docs/${file}`.replace('api-docs/../', '')}): ${description}`
  })
  return `## ${title}\n\n${items.join('\n')}`
}

/** Returns the first sentence of a page, or its sections if it begins with one. */
function describe({ text }: MarkdownPage): string {
  const [, first = ''] = text.split('\n\n')
  if (!first.startsWith('#')) return first.replaceAll('\n', ' ').replace(/(?<=\.)\s.*/, '')
  return [...text.matchAll(/^## (.+)$/gm)].map(([, section]) => section).join(', ')
}

function renderPage({ text, ids }: MarkdownPage, pages: readonly MarkdownPage[]): string {
  const link = (whole: string, address: string) => {
    const id = address.slice(1)
    const home = pages.find((page) => page.ids.includes(id))
    if (address.startsWith('#')) return home === undefined || ids.includes(id) ? whole : `](${home.name}.md${address})`
    return `](${address.startsWith('api-docs/') ? address.slice('api-docs/'.length) : `../${address}`})`
  }
  const parts = text.split(/(^```[\s\S]*?^```$)/m)
  return parts
    .map((part, index) => (index % 2 === 1 ? renderBlock(part) : part.replaceAll(/\]\((?![a-z]+:)([^)]+)\)/g, link)))
    .join('')
}

/** Renders an example as its commands and the response, and a file with its name. */
function renderBlock(block: string): string {
  const [, kind, name = '', status = '', text = ''] = /^```(\w+) ?(\S*) ?(\S*)\n([\s\S]*)```$/.exec(block) ?? []
  if (kind === 'file') return `\`${name}\`:\n\n\`\`\`\n${text}\`\`\``
  if (kind !== 'call') return block
  const { call, code, answer } = readExample(name, status, text)
  const commands = `\`\`\`bash\n${call === undefined ? code?.curl : renderCurl(call)}\n\`\`\``
  if (answer === '') return commands
  return `${commands}\n\nResponse${status === '' ? '' : ` ${status}`}:\n\n\`\`\`\n${answer.trimEnd()}\n\`\`\``
}
