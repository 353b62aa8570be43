import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { globSync } from 'tinyglobby'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

const words = suite('words')
const root = fileURLToPath(new URL('..', import.meta.url))

/** Wording that readers of API documentation stumble over, with what to write instead (see `src/README.md`). */
const bans: readonly (readonly [instead: string, pattern: RegExp])[] = [
  ['begin a docstring with a verb or a noun', /\/\*\*\s+(What|Who|Whoever|Whatever|Whether|How|Where|That|Which)\b/],
  ['begin a comment with its subject', /\/\/ (What|Whoever|Whatever|Whether)\b/],
  ['say the behaviour in a test title', /^\s*\w+\(\s*[`'"](what|whoever|whatever|that which|whether)\b/],
  ['"is", "represents"', /\b(stands?|standing|stood) (in|for|there|beside|behind|at|as)\b/],
  ['"does not have any"', /\b(has|have|had|are|is|was|were|be|gets|where there is|if there is) none\b(?! of)/],
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
]
/** The artist draws one thing behind or beside another. */
const spatial = ['"after"', '"next to", "with"']

const files = globSync(['src/**/*.{ts,md,html,css}', 'test/**/*.{ts,md}', 'bin/*.js', 'README.md'], {
  cwd: root,
  ignore: ['src/generated/**', 'src/README.md', 'test/golden/**', 'test/schemas/**', 'test/words.test.ts'],
})

for (const file of files.sort()) {
  words(`${file} is in plain English`, () => {
    const isArt = /^(src|test)\/artist\//.test(file)
    const found = listProse(file, readFileSync(`${root}${file}`, 'utf8')).flatMap(([line, text]) =>
      bans
        .filter(([instead, pattern]) => pattern.test(text) && !(isArt && spatial.includes(instead)))
        .map(([instead]) => `${file}:${line}: ${text.trim()}\n    write ${instead}`),
    )
    assert.is(found.join('\n'), '')
  })
}

/** Lists the comments of a script, and its texts of more than one word, each with its line; of other files, every line. */
function listProse(file: string, content: string): (readonly [line: number, text: string])[] {
  const lines = content.split('\n')
  if (!/\.(ts|js)$/.test(file)) return lines.map((text, index) => [index + 1, text])
  let isInBlock = false
  return lines.flatMap((text, index): (readonly [number, string])[] => {
    const starts = /^\s*\/\*/.test(text)
    const isComment = starts || isInBlock
    if (starts) isInBlock = true
    if (isInBlock && text.includes('*/')) isInBlock = false
    if (isComment) {
      const isOpening = /^\s*\/\*\*\s*$/.test(text)
      return [[index + 1, isOpening ? `/** ${(lines[index + 1] ?? '').replace(/^\s*\*\s?/, '')}` : text]]
    }
    const comment = /(?:^|\s)\/\/ .*/.exec(text)?.[0]
    const texts = [...text.matchAll(/(?:^\s*\w+\(\s*)?(['"`])(?:\\.|(?!\1).)* (?:\\.|(?!\1).)*\1/g)].map(
      ([match]) => match,
    )
    return [...(comment === undefined ? texts : [comment])].map((each) => [index + 1, each])
  })
}

words.run()
