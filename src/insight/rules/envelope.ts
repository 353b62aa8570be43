import { objectOf } from '../json-object.js'
import { findUnknownMembers } from '../unknown-members.js'
import type { CheckedRule } from './rule.js'

/** The rule of members that the contract does not name. */
export const unknownMemberRule = 'envelope-unknown-member'

/** The rule of members that an object has twice: only the text shows them, so the code that parses reports it. */
export const duplicateMemberRule = 'payload-duplicate-member'

/** Rules of the payload as a whole. */
export const envelopeRules: readonly CheckedRule[] = [
  {
    id: 'payload-json',
    severity: 'error',
    section: '4',
    sentence: 'A payload is one JSON document in UTF-8.',
    good: { schemaVersion: 'health-detail-v3' },
    bad: '{ "schemaVersion": "health-detail-v3", }',
  },
  {
    id: duplicateMemberRule,
    severity: 'warning',
    section: '4',
    sentence: 'An object names each member once; of two with one name the last counts.',
    good: { metric: 'bark' },
    bad: '{ "metric": "hr", "metric": "bark" }',
  },
  {
    id: 'payload-object',
    severity: 'error',
    section: '2.1',
    sentence: 'A payload is a JSON object.',
    good: { schemaVersion: 'health-detail-v3' },
    bad: ['health-detail-v3'],
  },
  {
    id: 'envelope-schema-version',
    severity: 'error',
    section: '2.1',
    sentence: 'schemaVersion is "health-detail-v3".',
    good: { schemaVersion: 'health-detail-v3' },
    bad: { schemaVersion: 'health-detail-v2' },
  },
  {
    id: 'envelope-user-id',
    severity: 'error',
    section: '2.1',
    sentence: 'userId is a text of at most 128 characters.',
    good: { userId: 'user-20418' },
    bad: { userId: 20418 },
  },
  {
    id: 'envelope-pet-id',
    severity: 'error',
    section: '2.1',
    sentence: 'petId is a text of at most 128 characters.',
    good: { petId: 'pet-7731' },
    bad: { petId: null },
  },
  {
    id: 'envelope-id-empty',
    severity: 'warning',
    section: '2.1',
    sentence: 'userId and petId are not empty.',
    good: { petId: 'pet-7731' },
    bad: { petId: '' },
    check: ({ payload }) =>
      payload.userId !== '' && payload.petId !== ''
        ? undefined
        : ['userId', 'petId']
            .filter((name) => payload[name] === '')
            .map((name) => ({
              path: `/${name}`,
              message: `${name} is empty, so that nothing in the archive belongs to it.`,
              expected: 'an ID',
              actual: '""',
            })),
  },
  {
    id: 'envelope-metric',
    severity: 'error',
    section: '2.1',
    sentence: 'metric is "activity", "rest", "hr", "hrv", "rr" or "bark".',
    good: { metric: 'hrv' },
    bad: { metric: 'heart-rate' },
  },
  {
    id: 'envelope-view-window',
    severity: 'error',
    section: '2.1',
    sentence: 'viewWindow is "day", "week" or "month".',
    good: { viewWindow: 'week' },
    bad: { viewWindow: 'year' },
  },
  {
    id: 'envelope-locale',
    severity: 'error',
    section: '2.1',
    sentence: 'locale is "zh-CN", "en-US" or "es"; left out or null it is "en-US".',
    good: { locale: 'es' },
    bad: { locale: 'es-MX' },
  },
  {
    id: 'envelope-pet-profile',
    severity: 'error',
    section: '2.1',
    sentence: 'petProfile is an object with name and species.',
    good: { petProfile: { name: 'Mochi', species: 'dog' } },
    bad: { petProfile: 'Mochi' },
  },
  {
    id: 'envelope-pet-name',
    severity: 'error',
    section: '2.1',
    sentence: 'petProfile.name is a text that is not empty: every sentence uses it.',
    good: { petProfile: { name: 'Mochi' } },
    bad: { petProfile: { name: '' } },
  },
  {
    id: 'envelope-pet-species',
    severity: 'error',
    section: '2.1',
    sentence: 'petProfile.species is "dog" or "cat".',
    good: { petProfile: { species: 'cat' } },
    bad: { petProfile: { species: 'rabbit' } },
  },
  {
    id: 'envelope-bark-species',
    severity: 'warning',
    section: '2.1',
    sentence: 'The metric "bark" is for dogs; the text about a cat says "vocalized" and gives no advice.',
    good: { metric: 'bark', petProfile: { species: 'dog' } },
    bad: { metric: 'bark', petProfile: { species: 'cat' } },
    metrics: ['bark'],
    check: ({ payload }) =>
      objectOf(payload, 'petProfile').species === 'cat'
        ? {
            path: '/petProfile/species',
            message: 'petProfile.species is "cat", but the metric is "bark".',
            expected: '"dog", or another metric',
            actual: '"cat"',
          }
        : undefined,
  },
  {
    id: 'metrics-object',
    severity: 'error',
    section: '2.1',
    sentence: 'metrics is an object.',
    good: { metrics: { barkDurationSeconds: 540 } },
    bad: { metrics: [540] },
  },
  {
    id: 'envelope-previous-period',
    severity: 'error',
    section: '4',
    sentence: 'previousPeriod is left out or null; the comparison with it is no longer made here.',
    good: { previousPeriod: null },
    bad: { previousPeriod: { startDate: '2026-10-05' } },
  },
  {
    id: unknownMemberRule,
    severity: 'warning',
    section: '2.1',
    sentence:
      'No member is named almost like one that is missing, or holds under another name what the page needs: unknown members are ignored. `--unknown warn` lists all of them.',
    good: { period: { elapsedNights: 7 } },
    bad: { period: { elapsedNight: 7 } },
    check: ({ payload, metric, viewWindow }) => findUnknownMembers(payload, metric, viewWindow),
  },
]
