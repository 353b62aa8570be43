import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { globSync } from 'tinyglobby'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

const words = suite('words')
const root = fileURLToPath(new URL('..', import.meta.url))

/** Wording that readers of API documentation stumble over, with what to write instead (see `src/README.md`). */
const bans: readonly (readonly [instead: string, pattern: RegExp, files?: RegExp])[] = [
  ['begin a docstring with a verb or a noun', /\/\*\*\s+(What|Who|Whoever|Whatever|Whether|How|Where|That|Which)\b/],
  ['begin a comment with its subject', /(\/\/|^#) (What|Whoever|Whatever|Whether)\b/],
  ['say what it is; a question ends in "?"', /^['"`](What|Whether|Whoever)\b[^?]*['"`]$/],
  ['say the behavior in a test title', /^\s*\w+\(\s*[`'"](what|whoever|whatever|that which|whether)\b/],
  ['"is", "represents"', /\b(stands|stood)\b|\b(stand|standing) (in|for|there|beside|behind|at|as|still|on)\b/],
  [
    'the noun: "no key", "does not have any"',
    /(?<![\w`'"/:.=-]|[:|&,] |\b(or|and|default|severity|allow) )none\b(?! of\b| yet\b|[-`'"]| \|)/,
  ],
  ['"without"', /\bof no (?=\w)/],
  ['"is not a"', /(?<![Tt]here )\b(is|are|was|were|be) no (?!longer|more|less|fewer|later|earlier|such|other)\w/],
  ['"after"', /(?<!left )\bbehind\b(?! (a|the) (proxy|pooler|load))/],
  ['"next to", "with"', /\bbeside\b/],
  ['"who", "any"', /\b(whoever|whatever|whomever)\b/i],
  ['"again"', /\banew\b/],
  ['"available"', /\bbe had\b/],
  ['"on its own", or leave it out', /\bby (itself|themselves)\b/],
  ['"whose", "in which"', /\bof which\b/],
  ['"invalid", "that breaks the rule"', /\bat fault\b/],
  ['"as before"', /\bas ever\b/],
  ['"data directory"', /\bdata folders?\b/i],
  [
    'the type as JSON names it: "a string", "a boolean", "an integer"',
    /\b(is|be|not|at most|array of) (a text\b(?! (of|that|in)\b)|texts\b|an empty text\b|true or false\b|(a )?whole numbers?\b)/,
  ],
  ['"per", "comma-separated list"', /\bone (JSON )?(document|line|object) a \w+|\bcomma list\b/],
  [
    'the American spelling',
    /\b(behaviours?|cancelled|cent(re|red|res)|colour\w*|favour(s|ed|ite)?|gre(y|yish)|learnt|licences?|misspelt|neighbour(s|ing)?|travelled)\b/i,
  ],
  [
    '"response", for what HTTP returns',
    /\b(the|an|its|each|every|same|earlier|lost|error) answers?\b(?! is no\b)/i,
    /^src\/(client|contract|pages|server)\//,
  ],
  ['a typographic apostrophe', /^(?! *").*\w'(s|t|re|ve|ll)\b/, /^src\/pages\/.*\.(html|md)$|^catalog\/diary\//],
]
/** In a picture, one thing stands behind or beside another. */
const spatial = ['"is", "represents"', '"after"', '"next to", "with"']

const sources = ['src/**/*.{ts,cjs,py,md,html,css}', 'test/**/*.{ts,cjs,mjs,py,md}', 'bin/*.js', '.ci/run', 'README.md']
const catalog = ['catalog/**/*.md', 'catalog/insight/*.json', 'catalog/diary/*.json', 'catalog/home.json']
const files = globSync([...sources, ...catalog], {
  cwd: root,
  dot: true,
  ignore: ['src/generated/**', 'test/golden/**', 'test/schemas/**', 'test/words.test.ts'],
})

for (const file of files.sort()) {
  words(`${file} is in plain English`, () => {
    const isArt = /^((src|test)\/artist|catalog\/diary)\//.test(file)
    const found = listProse(file, readFileSync(`${root}${file}`, 'utf8')).flatMap(([line, text]) =>
      bans
        .filter(([instead, pattern, where]) => {
          const isHere = where?.test(file) ?? true
          return isHere && pattern.test(text) && !(isArt && spatial.includes(instead))
        })
        .map(([instead]) => `${file}:${line}: ${text.trim()}\n    write ${instead}`),
    )
    assert.is(found.join('\n'), '')
  })
}

/** Lists the comments of a script, and its texts of more than one word, each with its line; of other files, every line. */
function listProse(file: string, content: string): (readonly [line: number, text: string])[] {
  if (!/\.[cm]?[jt]s$/.test(file)) return content.split('\n').map((text, index) => [index + 1, text])
  const lineOf = (offset: number) => content.slice(0, offset).split('\n').length
  return [...listTokens(content)].flatMap(([start, token]) => {
    const isComment = /^\/[/*]/.test(token)
    if (!isComment && !token.includes(' ')) return []
    const text = token.replace(/^\/\*\*\s*\n\s*\*\s?/, '\n/** ')
    return text.split('\n').map((each, index): [number, string] => [lineOf(start) + index, each])
  })
}

/** Yields the comments, strings and templates of a script with their offsets. A template comes with `…` for its expressions. */
function* listTokens(content: string): Generator<readonly [start: number, token: string]> {
  const token =
    /(?:(?<=[(,=:[!&|?{};>\n]\s*|\b(?:return|case) )\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/)|\/\/.*|\/\*[\s\S]*?\*\/|(['"])(?:\\.|(?!\1)[^\\\n])*\1|[`{}]/g
  const piece = /((?:\\[\s\S]|\$(?!\{)|[^`\\$])*)(`|\$\{)/y
  /** The templates whose expressions are open, innermost last; `undefined` for a brace of the code. */
  const open: ({ readonly start: number; text: string; end: number } | undefined)[] = []
  for (let match = token.exec(content); match !== null; match = token.exec(content)) {
    const [found] = match
    const template =
      found === '`' ? { start: match.index, text: '`', end: match.index } : found === '}' ? open.pop() : undefined
    if (found === '{') open.push(undefined)
    else if (template !== undefined) {
      piece.lastIndex = token.lastIndex
      const [whole = '', text = '', mark] = piece.exec(content) ?? []
      token.lastIndex += whole.length
      const lineBreaks = content.slice(template.end, match.index).replace(/[^\n]/g, '')
      template.text += `${lineBreaks}${text}${mark === '`' ? mark : '…'}`
      template.end = token.lastIndex
      if (mark === '`') yield [template.start, template.text]
      else open.push(template)
    } else if (/^['"]|^\/[/*]/.test(found) && found !== '}') yield [match.index, found]
  }
}

words.run()
