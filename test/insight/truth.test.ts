import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { loadInsightCopy, readInsightWording } from '../../src/catalog/catalog.js'
import { parseWording } from '../../src/copydesk/lint/wording.js'
import { generate, type Locale, locales, validate } from '../../src/insight/index.js'
import { checkClaims } from '../helpers/english-claims.js'
import { insightFixtures } from '../helpers/fixtures.js'
import { truthPayloads } from '../helpers/truth-payloads.js'

/** `npm run truth` reads 100,000 texts. */
const numRuns = Number(process.env.SVC_TRUTH_RUNS ?? 500)

const truth = suite('truth of the texts')
const copy = await loadInsightCopy()
const { maxLength } = parseWording(readInsightWording())

truth(`of ${numRuns} payloads, every number, comparison and day of the text is one of the payload`, () => {
  const scenarios = new Set<string>()
  const property = fc.property(
    truthPayloads.filter((payload) => validate(payload).errors.length === 0),
    (payload) => {
      const numbers = locales.map((locale) => {
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
        assert.not.match(plain, payload.petProfile.species === 'cat' ? /\bbark|ladr[aió]|ladrido|吠/ : /vocaliz|鸣/)
        if (locale === 'en-US') checkClaims(summary, payload)
        return readNumbers(plain, locale)
      })
      for (const found of numbers) assert.equal(found, numbers[0])
    },
  )
  fc.assert(property, { numRuns, includeErrorInReport: true })
  if (numRuns >= 20_000) assert.is(scenarios.size, 37)
})

const englishDate =
  /(?:January|February|March|April|May|June|July|August|September|October|November|December) \d+(?:, \d{4})?/
const spanishMonth = 'de (?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)'
/** The dates and nights of each language, and its words for a count of one, which the others write as a number. */
const written: Readonly<Record<Locale, { readonly date: RegExp; readonly once: RegExp }>> = {
  'zh-CN': { date: /(?:\d+年)?\d+月\d+日|至(?:\d+年)?(?:\d+月)?\d+日/g, once: /$^/g },
  'en-US': {
    date: new RegExp(`${englishDate.source}(?:-(?:${englishDate.source}|\\d+(?:, \\d{4})?))?`, 'g'),
    once: /\bonce\b/g,
  },
  es: {
    date: new RegExp(`\\d+(?: ${spanishMonth})?(?: de \\d{4})? al|\\d+ ${spanishMonth}(?: de \\d{4})?`, 'g'),
    once: /\buna vez\b/g,
  },
}

/** Returns the numbers of a text in order of size, without its dates and times, which `format.test.ts` compares. */
function readNumbers(text: string, locale: Locale): number[] {
  const { date, once } = written[locale]
  const plain = text
    .replaceAll(date, '')
    .replaceAll(/\d+:\d\d/g, '')
    .replaceAll(once, '1')
  const decimal =
    locale === 'es' ? plain.replaceAll(/(?<=\d)\.(?=\d{3})/g, '').replaceAll(/(?<=\d),(?=\d)/g, '.') : plain
  const numbers = decimal.replaceAll(/(?<=\d),(?=\d{3})/g, '').match(/\d+(?:\.\d+)?/g) ?? []
  return numbers.map(Number).sort((one, other) => one - other)
}

/** Words that turn a comparison round. */
const turned: readonly (readonly [RegExp, string])[] = [
  [/\bmore than\b/, 'less than'],
  [/\bless than (?!1 )/, 'more than '],
  [/\babove\b/, 'below'],
  [/, within/, ', above'],
  [/\bhigher\b/, 'lower'],
  [/last week/, 'the week before'],
  [/slept well/, 'slept poorly'],
]

truth('finds every number of a fixture that is one more, and every comparison turned round', () => {
  const missed = insightFixtures.flatMap(({ payload }) => {
    const { summary } = generate(payload, { copy, locale: 'en-US' })
    checkClaims(summary, payload)
    const faults = [
      ...[...summary.matchAll(/\d+/g)].map(
        ({ 0: number, index }) =>
          `${summary.slice(0, index)}${Number(number) + 1}${summary.slice(index + number.length)}`,
      ),
      ...turned.filter(([words]) => words.test(summary)).map(([words, other]) => summary.replace(words, other)),
    ]
    return faults.filter((fault) => !isFound(() => checkClaims(fault, payload)))
  })
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
