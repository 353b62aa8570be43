import { readdirSync, readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { rules } from '../../src/insight/rules/index.js'
import { validate } from '../../src/insight/validate.js'
import { findDuplicateMembers } from '../../src/text/duplicate-members.js'

const ruleFixtures = suite('rule fixtures')
const folder = (severity: string) =>
  new URL(`../../fixtures/${severity === 'error' ? 'invalid' : 'warnings'}/`, import.meta.url)

/** `RULE.MISTAKE.json` breaks a rule by a likely mistake. */
const isMistake = /^[a-z-]+\.[a-z\d-]+\.json$/
const listFiles = (severity: string) =>
  readdirSync(folder(severity))
    .filter((name) => name !== 'index.json')
    .sort()

ruleFixtures('exist for every rule, and for nothing else', () => {
  for (const severity of ['error', 'warning']) {
    const ids = rules.filter((rule) => rule.severity === severity).map(({ id }) => `${id}.json`)
    const files = listFiles(severity).filter((name) => !isMistake.test(name))
    assert.equal(files, ids.sort())
  }
})

ruleFixtures('of the errors are listed with the rule and the path that the validator reports', () => {
  const text = readFileSync(new URL('index.json', folder('error')), 'utf8')
  const index: { file: string; rule: string; path: string }[] = JSON.parse(text)
  const ids = rules.filter(({ severity }) => severity === 'error').map(({ id }) => id)
  const judge = (file: string) => {
    const content = readFileSync(new URL(file, folder('error')), 'utf8')
    if (file === 'payload-json.json') return [{ rule: 'payload-json', path: '' }]
    return validate(JSON.parse(content)).errors
  }
  const filesOf = (id: string) => [
    `${id}.json`,
    ...listFiles('error').filter((file) => isMistake.test(file) && file.startsWith(`${id}.`)),
  ]
  const rows = ids.flatMap(filesOf).flatMap((file) => judge(file).map(({ rule, path }) => ({ file, rule, path })))
  assert.equal(index, rows)
  assert.is(text.trim().split('\n').length, rows.length + 2, 'one line each')
})

ruleFixtures('have rules with one name each, a section, a sentence and examples', () => {
  assert.is(new Set(rules.map(({ id }) => id)).size, rules.length)
  for (const { id, section, sentence, good, bad } of rules) {
    assert.match(id, /^[a-z]+(-[a-z]+)+$/)
    assert.match(section, /^\d(\.\d)*$/)
    assert.match(sentence, /^.+\.$/)
    assert.not.equal(good, bad, id)
  }
})

for (const { id, severity } of rules) {
  const text = () => readFileSync(new URL(`${id}.json`, folder(severity)), 'utf8')
  if (id === 'payload-json') {
    ruleFixtures('payload-json.json is not valid JSON', () => {
      assert.throws(() => JSON.parse(text()), SyntaxError)
    })
    continue
  }
  if (id === 'payload-duplicate-member') {
    ruleFixtures(`${id}.json has a member twice, and is valid`, () => {
      const payload = JSON.parse(text())
      const twice = findDuplicateMembers(text(), payload).map(({ pointer }) => pointer)
      assert.equal(twice, ['/metric'])
      assert.equal(validate(payload), { errors: [], warnings: [] })
    })
    continue
  }
  ruleFixtures(`${id}.json breaks ${id} and nothing else`, () => {
    const { errors, warnings } = validate(JSON.parse(text()))
    const broken = [...errors.map(({ rule }) => `error ${rule}`), ...warnings.map(({ rule }) => `warning ${rule}`)]
    assert.equal(broken, [`${severity} ${id}`])
    const { path, message, expected, actual } = (errors[0] ?? warnings[0]) as (typeof errors)[number]
    assert.ok(path === '' || path.startsWith('/'))
    assert.match(message, /^[A-Za-z].*\.$/)
    assert.ok(expected && actual, 'says what was expected and what was found')
    if (id.endsWith('average-agrees')) assert.match(message, ` is ${actual}, but `)
  })
}

ruleFixtures.run()
