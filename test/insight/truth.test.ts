import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { loadInsightCopy } from '../../src/catalog/catalog.js'
import { generate, locales, validate } from '../../src/insight/index.js'
import { checkEnglish } from '../helpers/english-claims.js'
import { shipped } from '../helpers/review-input.js'
import { truthPayloads } from '../helpers/truth-payloads.js'

/** `npm run truth` reads 100,000 texts. */
const numRuns = Number(process.env.SVC_TRUTH_RUNS ?? 2000)

const truth = suite('truth of the texts')
const copy = await loadInsightCopy()
const { maxLength } = shipped.wording

truth(`of ${numRuns} payloads, every number, comparison and day of the text is one of the payload`, () => {
  const scenarios = new Set<string>()
  const property = fc.property(
    truthPayloads.filter((payload) => validate(payload).errors.length === 0),
    (payload) => {
      for (const locale of locales) {
        const { scenario, summary } = generate(payload, { copy, locale })
        scenarios.add(scenario)
        const { name } = payload.petProfile
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
        if (locale === 'en-US') checkEnglish(summary, payload)
      }
    },
  )
  fc.assert(property, { numRuns, includeErrorInReport: true })
  if (numRuns >= 20_000) assert.is(scenarios.size, 37)
})

truth.run()
