import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { groupUsage, usageGroups } from '../../src/media/usage.js'
import type { UsageRow } from '../../src/ports/tasks.js'

const usage = suite('usage')

const row = (change: Partial<UsageRow>): UsageRow => ({
  petId: 'p1',
  userId: 'u1',
  missing: [],
  keyId: 'key_1',
  model: 'stub-avatar-1',
  day: '2026-10-20',
  requests: 1,
  units: 4,
  costMicros: 40,
  maybeCostMicros: 0,
  ...change,
})
const rows = [
  row({}),
  row({ petId: 'p2', day: '2026-10-21', maybeCostMicros: 7 }),
  row({ userId: 'temporary', missing: ['user_id'], model: 'stub-animation-1', keyId: 'key_2', units: 1 }),
]

usage('gives every row without a group', () => assert.equal(groupUsage(rows), rows))

const groups: Readonly<Record<(typeof usageGroups)[number], readonly (readonly [string | null, number])[]>> = {
  pet: [
    ['p1', 5],
    ['p2', 4],
  ],
  user: [
    ['u1', 8],
    ['temporary', 1],
  ],
  key: [
    ['key_1', 8],
    ['key_2', 1],
  ],
  model: [
    ['stub-avatar-1', 8],
    ['stub-animation-1', 1],
  ],
  day: [
    ['2026-10-20', 5],
    ['2026-10-21', 4],
  ],
}
const memberOf = { pet: 'petId', user: 'userId', key: 'keyId', model: 'model', day: 'day' } as const
for (const by of usageGroups) {
  usage(`sums by ${by}`, () =>
    assert.equal(
      groupUsage(rows, by).map((entry) => [entry[memberOf[by]], entry.units]),
      groups[by],
    ),
  )
}

usage('leaves open what differs within a sum, and keeps every missing ID', () => {
  const [first] = groupUsage(rows, 'pet')
  assert.equal(first, {
    petId: 'p1',
    userId: null,
    missing: ['user_id'],
    keyId: null,
    model: null,
    day: '2026-10-20',
    requests: 2,
    units: 5,
    costMicros: 80,
    maybeCostMicros: 0,
  })
})

usage.run()
