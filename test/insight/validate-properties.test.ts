import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type HealthDetailPayload, rules, validate } from '../../src/insight/index.js'
import { buildPayload, changePayload, combinations, listPointers } from '../helpers/payloads.js'

const properties = suite('validate, any payload')

const combination = fc.constantFrom(...combinations)
const payload = combination.map(({ metric, viewWindow }) => buildPayload({ metric, viewWindow }))

/** Values that no member of a payload takes, each wrong in its own way. */
const junk = fc.constantFrom<unknown>(
  'junk',
  '',
  -7.5,
  Number.POSITIVE_INFINITY,
  true,
  [],
  {},
  [{}],
  { date: 7 },
  1e300,
)
const hostile = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  fc.constantFrom<unknown>(
    JSON.parse('{"__proto__": {"metric": "hr"}, "constructor": null}'),
    JSON.parse('[1e999, -1e999, 5e-324]'),
    'x'.repeat(100_000),
    Array(5000).fill('1'),
    Array(5000).fill({}),
    Number.NaN,
  ),
)

/** Lists the pointers of a payload, of each array those of two entries: the others are alike. */
const listPlaces = (base: HealthDetailPayload) =>
  listPointers(base).filter((path) => !/\/([2-9]|\d\d)(\/|$)/.test(path))

properties('never throws on arbitrary JSON', () => {
  fc.assert(
    fc.property(hostile, (value) => {
      assert.ok(validate(value).errors.length > 0)
    }),
  )
})

properties('never throws and changes nothing, with any value in one member', () => {
  fc.assert(
    fc.property(payload, fc.nat(), fc.oneof(hostile, junk), (base, index, value) => {
      const pointers = listPointers(base)
      const changed = deepFreeze(changePayload(base, { [pointers[index % pointers.length] ?? '']: value }))
      const { errors, warnings } = validate(changed)
      for (const { path, message, rule } of [...errors, ...warnings]) {
        assert.ok(path.startsWith('/') && message.length < 600, message)
        assert.ok(rules.some(({ id }) => id === rule))
      }
    }),
    { numRuns: 500 },
  )
})

properties('does not run out of stack on deep nesting', () => {
  const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`)
  for (const { metric, viewWindow } of combinations) {
    const base = buildPayload({ metric, viewWindow })
    assert.equal(validate({ ...base, x: deep }).errors, [])
    assert.ok(validate({ ...base, petProfile: deep, metrics: { day: deep } }).errors.length > 0)
    for (const path of listPlaces(base)) {
      const copy = structuredClone(base)
      const at = path.lastIndexOf('/')
      findObject(copy, path.slice(0, at))[path.slice(at + 1)] = deep
      validate(copy)
    }
  }
})

properties('reports an invalid member once', () => {
  fc.assert(
    fc.property(payload, fc.nat(), junk, (base, index, value) => {
      const pointers = listPointers(base).filter((path) => path !== '/metric' && path !== '/viewWindow')
      const pointer = pointers[index % pointers.length] ?? ''
      const { errors } = validate(changePayload(base, { [pointer]: value }))
      const elsewhere = errors.filter(({ path }) => !path.startsWith(pointer) && !pointer.startsWith(path))
      assert.ok(countCauses(errors) <= 1 || typeof value === 'object', `${pointer}\n${JSON.stringify(errors, null, 1)}`)
      // A pair is broken by either end, and an average by each of its days.
      const allowed = /comparison-range-pair|average-agrees|period-.*-(day|sunday|month)$/
      assert.ok(!elsewhere.some(({ rule }) => !allowed.test(rule)), `${pointer}\n${JSON.stringify(elsewhere, null, 1)}`)
    }),
    { numRuns: 1000 },
  )
})

/** Members of one object that are missing together have one cause. */
const countCauses = (errors: readonly { path: string }[]) =>
  new Set(errors.map(({ path }) => path.slice(0, path.lastIndexOf('/')))).size

properties('reports a missing member once, and treats null as missing, for every optional member', () => {
  for (const { metric, viewWindow } of combinations) {
    const base = buildPayload({ metric, viewWindow })
    for (const pointer of listPlaces(base).filter((path) => !/\/\d+$/.test(path))) {
      const { errors } = validate(changePayload(base, { [pointer]: undefined }))
      const where = `${metric} ${viewWindow} ${pointer}`
      assert.ok(errors.length <= 1, `${where}\n${JSON.stringify(errors, null, 1)}`)
      if (errors.length === 0) assert.equal(validate(changePayload(base, { [pointer]: null })).errors, [], where)
    }
  }
})

properties('ignores unknown members in every object', () => {
  const names = fc.string({ minLength: 1 }).filter((name) => !/^(__proto__|x)$/.test(name))
  fc.assert(
    fc.property(payload, fc.nat(), names, hostile, (base, index, name, value) => {
      const objects = ['', ...listPointers(base).filter((path) => isObject(base, path))]
      const parent = objects[index % objects.length] ?? ''
      const copy = structuredClone(base)
      const target = findObject(copy, parent)
      const known = `${name} of a caller`
      target[known] = value
      assert.equal(validate(copy).errors, [], `${parent}/${known}`)
    }),
    { numRuns: 300 },
  )
})

properties('limits the violations of a mistake that is repeated', () => {
  const base = buildPayload({ metric: 'hr', viewWindow: 'month' })
  const flood = changePayload(base, {
    '/metrics/dailyNightRestHr': Array(100_000).fill('x'),
    '/insightContext/comparison/restRatingFactors': Array(100_000).fill(1),
  })
  const odd = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`locale${index}`, 1]))
  const { errors, warnings } = validate({ ...flood, ...odd })
  assert.ok(errors.length > 2 && errors.length < 500)
  assert.ok(warnings.length < 100)
})

function findObject(value: unknown, path: string): Record<string, unknown> {
  let found = value as Record<string, unknown>
  for (const name of path.split('/').slice(1)) found = found[name] as Record<string, unknown>
  return found
}

function isObject(base: HealthDetailPayload, path: string): boolean {
  const value: unknown = findObject(base, path)
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) for (const child of Object.values(value)) deepFreeze(child)
  return Object.freeze(value)
}

properties.run()
