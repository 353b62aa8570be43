import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { loadInsightCopy, readInsightWording } from '../../src/catalog/catalog.js'
import { parseWording } from '../../src/copydesk/lint/wording.js'
import { generate, locales, validate } from '../../src/insight/index.js'
import { checkClaims } from '../helpers/english-claims.js'
import { insightFixtures } from '../helpers/fixtures.js'
import { truthPayloads } from '../helpers/truth-payloads.js'

/** `npm run truth` reads 100,000 texts. */
const numRuns = Number(process.env.SVC_TRUTH_RUNS ?? 1000)

const truth = suite('truth of the texts')
const copy = await loadInsightCopy()
const { maxLength } = parseWording(readInsightWording())

truth(`of ${numRuns} payloads, every number, comparison and day of the text is one of the payload`, () => {
  const scenarios = new Set<string>()
  const property = fc.property(
    truthPayloads.filter((payload) => validate(payload).errors.length === 0),
    (payload) => {
      for (const locale of locales) {
        const { scenario, summary } = generate(payload, { copy, locale })
        scenarios.add(scenario)
        const name = payload.petProfile.name.replace(/\s+/g, ' ').trim()
        assert.ok(summary.includes(name))
        assert.ok([...summary].length <= maxLength[locale], `${summary.length} characters: ${summary}`)
        const plain = summary.replaceAll(name, 'X')
        assert.not.match(
          plain,
          /[\s\u00A0]{2}|\s[,.;)]|\(\s|[,.;，。；：、]{2}|(?<!\p{L})(\p{L}{2,}) \1(?!\p{L})/u,
          summary,
        )
        assert.not.match(plain, /[{}#]|undefined|null|NaN|Infinity|-\d+ ?%/, summary)
        if (locale === 'zh-CN') assert.not.match(plain, /[\s\u00A0;()]|,(?!\d)/, summary)
        checkClaims(summary, payload, locale)
      }
    },
  )
  fc.assert(property, { numRuns, includeErrorInReport: true })
  if (numRuns >= 20_000) assert.is(scenarios.size, 37)
})

/** Words that turn a comparison round, in the three languages. */
const turned: readonly (readonly [RegExp, string])[] = [
  [/\bmore than\b/, 'less than'],
  [/\bless than (?!1 )/, 'more than '],
  [/\babove\b/, 'below'],
  [/, within/, ', above'],
  [/\bhigher\b/, 'lower'],
  [/last week/, 'the week before'],
  [/slept well/, 'slept poorly'],
  [/高于/, '低于'],
  [/低于/, '高于'],
  [/多(?=\d+%)/, '少'],
  [/高(?=\d+%)/, '低'],
  [/上周/, '前一周'],
  [/睡得不错/, '睡得不太好'],
  [/没有吠叫/, '吠叫了约5分钟'],
  [/por encima/, 'por debajo'],
  [/por debajo/, 'por encima'],
  [/ más que/, ' menos que'],
  [/ menos que/, ' más que'],
  [/semana pasada/, 'semana anterior'],
  [/durmió bien/, 'durmió mal'],
]

truth('finds every number of a fixture that is one more, and every comparison turned round, in three languages', () => {
  const missed = insightFixtures.flatMap(({ payload }) =>
    locales.flatMap((locale) => {
      const { summary } = generate(payload, { copy, locale })
      checkClaims(summary, payload, locale)
      const faults = [
        ...[...summary.matchAll(/\d+/g)].map(
          ({ 0: number, index }) =>
            `${summary.slice(0, index)}${Number(number) + 1}${summary.slice(index + number.length)}`,
        ),
        ...turned.filter(([words]) => words.test(summary)).map(([words, other]) => summary.replace(words, other)),
      ]
      return faults.filter((fault) => !isFound(() => checkClaims(fault, payload, locale)))
    }),
  )
  assert.is(missed.join('\n'), '')
})

function isFound(check: () => void): boolean {
  try {
    check()
    return false
  } catch {
    return true
  }
}

truth.run()
