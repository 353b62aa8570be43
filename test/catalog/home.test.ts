import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { loadHomeCopy, readHomeTexts } from '../../src/catalog/catalog.js'
import { generateHomeCards } from '../../src/home/home.js'
import { type Locale, locales } from '../../src/insight/index.js'
import { buildDay, homeDays } from '../helpers/home-days.js'
import { listContents, traceBranches } from '../helpers/message-branches.js'
import { refusalOf } from '../helpers/refusal.js'
import { openTemporaryFolder } from '../helpers/temporary.js'

const catalog = suite('home catalog')
const { hash, patterns, pinnedHash, version } = readHomeTexts()
const ids = Object.keys(patterns['en-US'])

catalog('pins the version to the texts: a changed text needs a new one', () => {
  assert.is(
    pinnedHash,
    hash,
    `The texts changed since ${version}. Give catalog/home.json a new version and this sha256: ${hash}`,
  )
})

catalog('uses every text, reaches every branch; both implementations agree', async () => {
  const compiled = await loadHomeCopy()
  const { all, copy, taken } = traceBranches(patterns)
  const used = new Set<string>()
  const count = (locale: Locale) =>
    new Proxy(copy.messages[locale], {
      get: (messages, id: string) => {
        used.add(id)
        return messages[id]
      },
    })
  const messages = { 'zh-CN': count('zh-CN'), 'en-US': count('en-US'), es: count('es') }
  for (const [title, day] of homeDays) {
    for (const locale of locales) {
      const input = buildDay({ ...day, locale })
      const traced = generateHomeCards(input, { version: compiled.version, messages })
      assert.equal(generateHomeCards(input, compiled), traced, `${title} ${locale}`)
    }
  }
  assert.equal([...used].sort(), [...ids].sort())
  assert.equal(
    [...all].filter((branch) => !taken.has(branch)),
    [],
    'add a day that shows this branch to the reviewers',
  )
})

const unwanted: Readonly<Record<Locale, RegExp>> = {
  'zh-CN': /赶快|马上|必须|务必|千万|只有|不足|太少|生病|疾病|健康|兽医|治疗|焦虑|危险/,
  'en-US': /\b(must|should|hurry|now|only|don't|never|fail|miss|health|vet|sick|ill|disease|danger|risk|anxi)/i,
  es: /\b(debes?|deberías|urgente|ya mismo|solo|no olvides|salud|veterinari|enferm|peligro|riesgo|ansie)/i,
}
catalog('has texts with right marks and spaces that neither urge nor blame, nor mention health', () => {
  for (const locale of locales) {
    for (const id of ids) {
      const text = patterns[locale][id] ?? ''
      assert.not.match(text.replaceAll("''", ''), /'|\s{2}|[\n\t]/, `${id} ${locale}`)
      assert.not.match(text.replaceAll("''", "'"), unwanted[locale], id)
    }
  }
  for (const id of ids) {
    for (const words of listContents(patterns['zh-CN'][id] ?? '')) assert.not.match(words, /[,;:()!?.]| /, id)
  }
})

catalog('has short titles without a full stop, and bodies that end with one', () => {
  for (const [title, day] of homeDays) {
    for (const locale of locales) {
      for (const card of generateHomeCards(buildDay({ ...day, locale }), { version, messages: compiledMessages })) {
        assert.ok(card.title.length <= (locale === 'zh-CN' ? 14 : 32), `${title} ${locale}: ${card.title}`)
        assert.ok(card.body.length <= (locale === 'zh-CN' ? 40 : 110), `${title} ${locale}: ${card.body}`)
        assert.not.match(card.title, /[.。]$/)
        assert.match(card.body, /[.!。]$/)
      }
    }
  }
})
const { messages: compiledMessages } = await loadHomeCopy()

const faults: readonly (readonly [title: string, (text: string) => string, expected: string])[] = [
  ['broken JSON', (text) => text.replace('"BARK_BODY": {', '"BARK_BODY": '), 'catalog/home.json, line '],
  ['a list', () => '[]', 'catalog/home.json must be a JSON object'],
  ['no texts', () => '{"version": "v"}', 'catalog/home.json: texts is missing'],
  ['no version', (text) => text.replace('"version"', '"Version"'), 'catalog/home.json: version is missing'],
  ['a missing language', (text) => text.replace('"es"', '"es-MX"'), 'catalog/home.json, WELCOME_TITLE: es is missing'],
  [
    'an unknown member',
    (text) => text.replace('"zh-CN"', '"fr": "Bonjour", "zh-CN"'),
    'catalog/home.json, WELCOME_TITLE: unknown member fr',
  ],
]
for (const [title, change, expected] of faults) {
  catalog(`refuses ${title} and names the location`, async () => {
    const { folder, write, close } = openTemporaryFolder()
    write('home.json', change(readFileSync(new URL('../../catalog/home.json', import.meta.url), 'utf8')))
    const message = await refusalOf(() => readHomeTexts(pathToFileURL(`${folder}/`)))
    close()
    assert.match(message, expected)
  })
}

catalog.run()
