import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { generate, locales, scenarios, validate } from '../../../src/insight/index.js'
import { insightFixtures } from '../../helpers/fixtures.js'
import { assertGolden } from '../../helpers/golden.js'
import { changePayload } from '../../helpers/payloads.js'
import { copy, sayAll } from './say.js'

const texts = suite('texts of the fixtures')

/** Rules that warn of a page that is not a mistake. */
const unusual = [
  ['not-yet-today', 'context-observed-before-today'],
  ['cat', 'envelope-bark-species'],
] as const

for (const { name, payload, scenario } of insightFixtures) {
  texts(`${name} is valid, without a warning of a mistake, and gets its scenario`, () => {
    const warnings = unusual.filter(([end]) => name.endsWith(end)).map(([, rule]) => rule)
    const found = validate(payload)
    assert.equal([found.errors, found.warnings.map(({ rule }) => rule)], [[], warnings])
    assert.is(generate(payload, { copy }).scenario, scenario)
  })
}

texts('every scenario has a fixture of its own name', () => {
  const names = new Set(insightFixtures.map(({ name }) => name))
  assert.equal(
    scenarios.map(({ id }) => id).filter((id) => !names.has(id)),
    [],
  )
})

texts('the texts of all fixtures in all languages are the approved ones', () => {
  const lines = insightFixtures.flatMap(({ name, payload }) => {
    const { generation, status } = generate(payload, { copy })
    const paragraphs = locales.map((locale) => `  ${locale}  ${generate(payload, { copy, locale }).summary}`)
    return [`${name}: ${status}, ${generation.ruleId}`, ...paragraphs]
  })
  assertGolden('insight-texts.txt', `${lines.join('\n')}\n`)
})

texts('a text is one paragraph of one or two sentences without leftovers', () => {
  for (const { name, payload } of insightFixtures) {
    for (const locale of locales) {
      const { summary } = generate(payload, { copy, locale })
      assert.not.match(summary, /[{}#]|undefined|null|NaN|\s{2}|\s[,.;]|，，|。。|^\s|\s$|\n/, `${name} ${locale}`)
      const ends = summary.match(locale === 'zh-CN' ? /。/g : /\.(?= |$)/g) ?? []
      assert.ok(ends.length === 1 || ends.length === 2, `${name} ${locale} has ${ends.length} sentences: ${summary}`)
      assert.match(summary, locale === 'zh-CN' ? /。$/ : /\.$/)
    }
  }
})

texts('calls nothing usual with a breed or general basis and any rating', () => {
  const judged = insightFixtures.filter(
    ({ payload }) => payload.viewWindow === 'day' && typeof payload.suppliedJudgment?.rating === 'string',
  )
  assert.ok(judged.length > 20)
  for (const { name, payload } of judged) {
    for (const basis of ['breed', 'general']) {
      const changed = changePayload(payload, { '/insightContext/comparison/pageEvaluationBasis': basis })
      const { en, es, zh } = sayAll(changed)
      assert.match(en, new RegExp(`^(?:With ${basis} norms as a guide, |This page uses ${basis} norms; )`), name)
      assert.not.match(en, /usual/, name)
      assert.not.match(es, /habitual/, name)
      assert.not.match(zh, /平时/, name)
    }
  }
})

texts.run()
