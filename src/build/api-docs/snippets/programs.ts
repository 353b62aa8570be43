import type { ExampleCall, Save } from '../example.js'

/** The saved values of all examples so far, by their name in the shell. */
export type Saves = ReadonlyMap<string, Save>

/** A language in which a call is a function of the small client of the page. */
interface SnippetProgram {
  readonly indent: string
  /** The characters inside the braces of an object on one line. */
  readonly padding: string
  readonly words: Readonly<Record<string, string>>
  renderKey(key: string): string
  renderText(text: string): string
  toName(name: string): string
  member(object: string, name: string): string
  /** A text with expressions in it. */
  interpolate(parts: readonly (string | Expression)[]): string
  readFile(file: string): string
  options(entries: readonly (readonly [string, unknown])[], used: number): string
  call(name: string, args: string): string
  assign(name: string, value: string): string
  print(value: string): string
  /** Prints the error that a call ends with. */
  fail(call: string): string
}

const typeScript: SnippetProgram = {
  indent: '  ',
  padding: ' ',
  words: { true: 'true', false: 'false', null: 'null' },
  renderKey: (key) => (/^\w+$/.test(key) ? key : `'${key}'`),
  renderText: (text) => `'${text.replaceAll("'", "\\'")}'`,
  toName: (name) => name,
  member: (object, name) => (/^\d+$/.test(name) ? `${object}[${name}]` : `${object}.${name}`),
  interpolate: (parts) => `\`${parts.map((part) => (typeof part === 'string' ? part : `\${${part.text}}`)).join('')}\``,
  readFile: (file) => `await openAsBlob('${file}')`,
  options: (entries, used) => renderLiteral(Object.fromEntries(entries), typeScript, used),
  call: (name, args) => `await ${name}(${args})`,
  assign: (name, value) => `const ${name} = ${value}`,
  print: (value) => `console.log(${value})`,
  fail: (call) =>
    `try {\n${indent(call, '  ')}\n} catch (error) {\n  if (!(error instanceof ApiError)) throw error\n  console.log(error.status, error.body)\n}`,
}

const python: SnippetProgram = {
  indent: '    ',
  padding: '',
  words: { true: 'True', false: 'False', null: 'None' },
  renderKey: (key) => `"${key}"`,
  renderText: (text) => JSON.stringify(text),
  toName: (name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  member: (object, name) => (/^\d+$/.test(name) ? `${object}[${name}]` : `${object}["${name}"]`),
  // Before Python 3.12, an expression inside a text has other quotes than the text.
  interpolate: (parts) =>
    `f"${parts.map((part) => (typeof part === 'string' ? part : `{${part.text.replaceAll('"', "'")}}`)).join('')}"`,
  readFile: (file) => `Path("${file}").read_bytes()`,
  options: (entries, used) =>
    entries.map(([name, value]) => `${name}=${renderLiteral(value, python, used + name.length)}`).join(', '),
  call: (name, args) => `${name}(${args})`,
  assign: (name, value) => `${name} = ${value}`,
  print: (value) => `print(${value})`,
  fail: (call) => `try:\n${indent(call, '    ')}\nexcept ApiError as error:\n    print(error.status, error.body)`,
}

const programs = { TypeScript: typeScript, Python: python }

export function renderProgram(name: keyof typeof programs, call: ExampleCall, status: string, saves: Saves): string {
  const language = programs[name]
  const { method, path, isPolled, isKeyless, downloads } = call
  const lines = downloads.map(({ path: source, file }) =>
    language.call('download', [source, file].map(language.renderText).join(', ')),
  )
  const place = renderText(path, language, saves)
  const options = [...(isKeyless && status === '401' ? [['key', ''] as const] : []), ...listBody(call, language, saves)]
  const start = isPolled ? [place] : [language.renderText(method), place]
  const used = start.join(', ').length + 20
  const args = [...start, ...(options.length === 0 ? [] : [language.options(options, used)])].join(', ')
  const sent = language.call(isPolled ? 'poll' : 'call', args)
  const answer = call.saves[0]?.answer
  if (Number(status) >= 400) lines.push(language.fail(sent))
  else if (status === '204') lines.push(sent)
  else if (answer === undefined) lines.push(language.print(sent))
  else lines.push(language.assign(language.toName(answer), sent), language.print(language.toName(answer)))
  return lines.join('\n')
}

function listBody({ form, json }: ExampleCall, language: SnippetProgram, saves: Saves): (readonly [string, unknown])[] {
  if (json !== undefined) return [['json', JSON.parse(json, (_, value) => fill(value, language, saves))]]
  if (form.length === 0) return []
  const fields: Record<string, unknown> = {}
  for (const [name, value] of form) {
    const content = value.startsWith('@') ? new Expression(language.readFile(value.slice(1))) : value
    const others = fields[name]
    fields[name] = others === undefined ? content : [others, content].flat()
  }
  return [['form', fields]]
}

const fill = (value: unknown, language: SnippetProgram, saves: Saves) =>
  typeof value === 'string' && value.includes('$') ? new Expression(renderText(value, language, saves)) : value

/** Renders a text in which `$NAME` is a saved value. */
function renderText(text: string, language: SnippetProgram, saves: Saves): string {
  const parts = text.split(/(\$[A-Z_]+)/).filter((part) => part !== '')
  const rendered = parts.map((part) => (part.startsWith('$') ? toExpression(part.slice(1), language, saves) : part))
  const [first] = rendered
  if (rendered.length === 1 && first instanceof Expression) return first.text
  return rendered.some((part) => part instanceof Expression)
    ? language.interpolate(rendered)
    : language.renderText(text)
}

function toExpression(name: string, language: SnippetProgram, saves: Saves): Expression {
  const save = saves.get(name)
  if (save === undefined) throw new Error(`No example before this one saves ${name}.`)
  return new Expression(save.members.reduce<string>(language.member, language.toName(save.answer)))
}

const indent = (text: string, by: string) => text.replaceAll(/^(?=.)/gm, by)

/** An expression, as opposed to a text. */
class Expression {
  constructor(readonly text: string) {}
}

const maxWidth = 100

/** Renders a value; on one line if it fits after `used` characters, and else with a line for each member. */
function renderLiteral(value: unknown, style: SnippetProgram, used = 0, depth = 0): string {
  if (value instanceof Expression) return value.text
  if (typeof value === 'string') return style.renderText(value)
  if (typeof value !== 'object' || value === null) return style.words[String(value)] ?? String(value)
  const isList = Array.isArray(value)
  const [open, close] = isList ? '[]' : '{}'
  const renderMembers = (usedBefore: number) =>
    Object.entries(value).map(([key, member]) => {
      const label = isList ? '' : `${style.renderKey(key)}: `
      return label + renderLiteral(member, style, usedBefore + label.length + 1, depth + 1)
    })
  const members = renderMembers(Number.NEGATIVE_INFINITY)
  const padding = isList || members.length === 0 ? '' : style.padding
  const inline = `${open}${padding}${members.join(', ')}${padding}${close}`
  if (used + inline.length <= maxWidth) return inline
  const indent = style.indent.repeat(depth + 1)
  const lines = renderMembers(indent.length).map((member) => `${indent}${member},\n`)
  return `${open}\n${lines.join('')}${style.indent.repeat(depth)}${close}`
}
