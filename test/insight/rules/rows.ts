/** Rows of payloads and the rules that they break, for the test files of the rules. */
import type { Test } from 'uvu'
import * as assert from 'uvu/assert'
import { validate } from '../../../src/insight/validate.js'
import { buildPayload, changePayload, type PayloadOptions } from '../../helpers/payloads.js'

type Changes = Readonly<Record<string, unknown>>

/** The options of a payload, the members changed, and the rules that it then breaks ('?' before a warning). */
export type RuleRow = readonly [name: string, options: PayloadOptions, changes: Changes, broken?: string]

/** The options of a payload, the members changed, and the path and message of its one error. */
export type MessageRow = readonly [
  name: string,
  options: PayloadOptions,
  changes: Changes,
  path: string,
  message: string,
]

/** Adds a test for each row: the payload breaks exactly the rules named. */
export function testRows(rules: Test, rows: readonly RuleRow[]): void {
  for (const [name, options, changes, broken = ''] of rows) {
    const expected = broken.split(' ').filter((rule) => rule !== '')
    const verb = expected.some((rule) => !rule.startsWith('?'))
      ? 'refuses'
      : expected.length > 0
        ? 'warns of'
        : 'accepts'
    rules(`${verb} ${name} (${options.metric}, ${options.viewWindow})`, () => {
      const { errors, warnings } = validate(changePayload(buildPayload(options), changes))
      const found = [...errors.map(({ rule }) => rule), ...warnings.map(({ rule }) => `?${rule}`)]
      assert.equal(found.sort(), expected.sort(), JSON.stringify([...errors, ...warnings], null, 1))
    })
  }
}

/** Adds a test for each row: the payload has one error, with this path and message. */
export function testMessages(rules: Test, rows: readonly MessageRow[]): void {
  for (const [name, options, changes, path, message] of rows) {
    rules(`says ${name}`, () => {
      const { errors } = validate(changePayload(buildPayload(options), changes))
      assert.equal(
        errors.map((error) => [error.path, error.message]),
        [[path, message]],
      )
    })
  }
}

type More = Omit<Partial<PayloadOptions>, 'metric' | 'viewWindow'>

export const day = (metric: PayloadOptions['metric'], more: More = {}): PayloadOptions => ({
  metric,
  viewWindow: 'day',
  ...more,
})
export const week = (metric: PayloadOptions['metric'], more: More = {}): PayloadOptions => ({
  metric,
  viewWindow: 'week',
  ...more,
})
export const month = (metric: PayloadOptions['metric'], more: More = {}): PayloadOptions => ({
  metric,
  viewWindow: 'month',
  ...more,
})
export const today = (metric: PayloadOptions['metric'], more: More = {}) =>
  day(metric, { mode: 'today_so_far', ...more })
export const lastNight = (more: More = {}) => day('rest', { mode: 'last_night', ...more })
/** A week seen on its Wednesday: Monday and Tuesday are finished. */
export const thisWeek = (metric: PayloadOptions['metric'], more: More = {}) =>
  week(metric, { asOf: '2026-10-14T12:00', ...more })

export const inContext = (name: string) => `/insightContext/${name}`
export const inComparison = (name: string) => `/insightContext/comparison/${name}`
export const inJudgment = (name: string) => `/suppliedJudgment/${name}`
export const inMetrics = (name: string) => `/metrics/${name}`
