/** An expression, as opposed to a text. */
export class Expression {
  constructor(readonly text: string) {}
}

/** The spelling of values in a language. */
export interface LiteralStyle {
  readonly indent: string
  /** The characters inside the braces of an object on one line. */
  readonly padding: string
  readonly words: Readonly<Record<'true' | 'false' | 'null', string>>
  renderKey(key: string): string
  renderText(text: string): string
}

const maxWidth = 100

/** Renders a value; on one line if it fits after `used` characters, and else with a line for each member. */
export function renderLiteral(value: unknown, style: LiteralStyle, used = 0, depth = 0): string {
  const inline = renderInline(value, style)
  const isComposite = typeof value === 'object' && value !== null && !(value instanceof Expression)
  if (!isComposite || used + inline.length <= maxWidth) return inline
  const indent = style.indent.repeat(depth + 1)
  const isList = Array.isArray(value)
  const lines = Object.entries(value).map(([key, member]) => {
    const label = isList ? '' : `${style.renderKey(key)}: `
    return `${indent}${label}${renderLiteral(member, style, indent.length + label.length + 1, depth + 1)},\n`
  })
  const [open, close] = isList ? '[]' : '{}'
  return `${open}\n${lines.join('')}${style.indent.repeat(depth)}${close}`
}

function renderInline(value: unknown, style: LiteralStyle): string {
  if (value instanceof Expression) return value.text
  if (typeof value === 'string') return style.renderText(value)
  if (Array.isArray(value)) return `[${value.map((member) => renderInline(member, style)).join(', ')}]`
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(
      ([key, member]) => `${style.renderKey(key)}: ${renderInline(member, style)}`,
    )
    return members.length === 0 ? '{}' : `{${style.padding}${members.join(', ')}${style.padding}}`
  }
  const word = String(value)
  return word in style.words ? style.words[word as keyof typeof style.words] : word
}
