import { objectOf } from '../json-object.js'
import { findUnknownMembers } from '../unknown-members.js'
import type { CheckedRule } from './rule.js'
import { structural } from './structural.js'

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
  ...structural('envelope-schema-version', 'envelope-user-id', 'envelope-pet-id'),
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
  ...structural('envelope-metric', 'envelope-view-window', 'envelope-locale', 'envelope-pet-profile'),
  ...structural('envelope-pet-name', 'envelope-pet-species'),
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
  ...structural('metrics-object', 'envelope-previous-period'),
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
