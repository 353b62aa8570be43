/** Rows of payloads and the rules that they break, for the test files of the rules. */
import { suite, type Test } from 'uvu'
import * as assert from 'uvu/assert'
import { validate } from '../../../src/insight/validate.js'
import { buildPayload, changePayload, type PayloadOptions } from '../../helpers/payloads.js'

/** Members by their pointers. A pointer that does not begin with a slash is below the base that the file names. */
type Changes = Readonly<Record<string, unknown>>

/**
 * The options of a payload, the members changed, and what is found: the rules that it then breaks ('?' before a warning), or the
 * message of its one finding, which ends with a full stop, and the path of that, if it is not the first of the changed members.
 */
export type RuleRow = readonly [name: string, options: PayloadOptions, changes: Changes, found?: string, path?: string]

const resolve = (pointer: string, base: string) => (pointer.startsWith('/') ? pointer : `${base}/${pointer}`)

/** Builds a payload, changes its members and validates it. */
export function validateChanged(options: PayloadOptions, changes: Changes, base = '') {
  const resolved = Object.entries(changes).map(([pointer, value]) => [resolve(pointer, base), value])
  return validate(changePayload(buildPayload(options), Object.fromEntries(resolved)))
}

/** Adds a test for each row. The pointers of the rows are below the base. */
export function testRows(rules: Test, base: string, rows: readonly RuleRow[]): void {
  for (const [name, options, changes, expected = '', path = Object.keys(changes)[0] ?? ''] of rows) {
    if (expected.endsWith('.')) {
      rules(`says ${name}`, () => {
        const { errors, warnings } = validateChanged(options, changes, base)
        const found = (errors.length > 0 ? errors : warnings).map((each) => [each.path, each.message])
        assert.equal(found, [[resolve(path, base), expected]])
      })
      continue
    }
    const broken = expected.split(' ').filter((rule) => rule !== '')
    const isRefused = broken.some((rule) => !rule.startsWith('?'))
    const verb = isRefused ? 'refuses' : broken.length > 0 ? 'warns of' : 'accepts'
    rules(`${verb} ${name} (${options.metric}, ${options.viewWindow})`, () => {
      const { errors, warnings } = validateChanged(options, changes, base)
      const found = [...errors.map(({ rule }) => rule), ...warnings.map(({ rule }) => `?${rule}`)]
      assert.equal(found.sort(), broken.sort(), JSON.stringify([...errors, ...warnings], null, 1))
    })
  }
}

/** Runs a suite with a test for each row. */
export function runRules(title: string, base: string, rows: readonly RuleRow[]): void {
  const rules = suite(title)
  testRows(rules, base, rows)
  rules.run()
}

type Metric = PayloadOptions['metric']
type More = Omit<Partial<PayloadOptions>, 'metric' | 'viewWindow'>

export const day = (metric: Metric, more: More = {}): PayloadOptions => ({ metric, viewWindow: 'day', ...more })
export const week = (metric: Metric, more: More = {}): PayloadOptions => ({ metric, viewWindow: 'week', ...more })
export const month = (metric: Metric, more: More = {}): PayloadOptions => ({ metric, viewWindow: 'month', ...more })
export const today = (metric: Metric, more: More = {}) => day(metric, { mode: 'today_so_far', ...more })
export const lastNight = (more: More = {}) => day('rest', { mode: 'last_night', ...more })
/** A week seen on its Wednesday: Monday and Tuesday are finished. */
export const thisWeek = (metric: Metric, more: More = {}) => week(metric, { asOf: '2026-10-14T12:00', ...more })
