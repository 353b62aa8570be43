import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { generate, type HealthDetailPayload, locales, scenarios, validate } from '../../../src/insight/index.js'
import { insightFixtures } from '../../helpers/fixtures.js'
import { assertGolden } from '../../helpers/golden.js'
import { buildPayload, changePayload } from '../../helpers/payloads.js'
import { loadPlainCopy } from '../../helpers/plain-copy.js'

const texts = suite('texts')
const copy = await loadPlainCopy()

/** Returns the summary of a payload in all languages. */
const sayAll = (payload: HealthDetailPayload) => ({
  en: generate(payload, { copy, locale: 'en-US' }).summary,
  es: generate(payload, { copy, locale: 'es' }).summary,
  zh: generate(payload, { copy, locale: 'zh-CN' }).summary,
})

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
  for (const { id } of scenarios) assert.ok(names.has(id), id)
})

texts('the texts of all fixtures in all languages are the approved ones', () => {
  const lines = insightFixtures.flatMap(({ name, payload }) => {
    const { generation, status } = generate(payload, { copy })
    const paragraphs = locales.map((locale) => `  ${locale}  ${generate(payload, { copy, locale }).summary}`)
    return [`${name}: ${status}, ${generation.ruleId}`, ...paragraphs]
  })
  assertGolden('insight-texts.txt', `${lines.join('\n')}\n`)
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

const names = `{name}, O''Malley, L'Été, #1, <b>Max</b>, &amp; Co, 100% Rex, 小满, usual, $&,   , "`.split(', ')
for (const name of names) {
  texts(`says the name ${JSON.stringify(name)} unchanged`, () => {
    for (const { metric, viewWindow } of [
      { metric: 'activity', viewWindow: 'week' },
      { metric: 'bark', viewWindow: 'day' },
      { metric: 'hr', viewWindow: 'day' },
    ] as const) {
      const sayOf = (of: string) => Object.values(sayAll(buildPayload({ metric, viewWindow, name: of })))
      const plain = sayOf('PET').map((text) => text.replace('PET', () => name))
      assert.equal(sayOf(name), plain)
    }
  })
}

texts('ends a sentence once where a name ends in a full stop', () => {
  for (const name of ['Toby Jr.', 'Hmm...', '$&.']) {
    const night = changePayload(
      buildPayload({ metric: 'rest', viewWindow: 'day', mode: 'last_night', name, rating: null }),
      { '/metrics/night/nightRest/minutes': 0 },
    )
    const say = (locale: 'en-US' | 'zh-CN') => generate(night, { copy, locale }).summary
    assert.is(say('en-US'), `Last night, no rest was recorded for ${name}`)
    assert.match(say('zh-CN'), `没有记录到${name}的休息。`)
  }
})

texts('writes a name on one line with single blanks', () => {
  for (const name of [' Luna ', 'Luna\n', '\u00A0\u3000Luna\u2028', '\u200BLuna\uFEFF', '\tLuna']) {
    for (const metric of ['activity', 'hr'] as const) {
      const said = (written: string) => sayAll(buildPayload({ metric, viewWindow: 'day', name: written }))
      assert.equal(said(name), said('Luna'), JSON.stringify(name))
    }
  }
  const { summary } = generate(buildPayload({ metric: 'hr', viewWindow: 'day', name: 'Little \n  Bear' }), { copy })
  assert.match(summary, "Little Bear's resting heart rate")
})

texts('adds no "s" to the genitive of a name that ends in an apostrophe', () => {
  for (const name of ["Mo'", 'Ross’']) {
    const { summary } = generate(buildPayload({ metric: 'hr', viewWindow: 'day', name }), { copy })
    assert.match(summary, `${name} resting heart rate`)
  }
})

texts.run()
