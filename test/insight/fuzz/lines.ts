import fc from 'fast-check'
import type { HealthDetailPayload } from '../../../src/insight/schema.js'
import { locales } from '../../../src/insight/types.js'
import { insightFixtures } from '../../helpers/fixtures.js'
import { addPlaceholders, buildPayload, combinations } from '../../helpers/payloads.js'
import { mutators } from './mutators.js'

/** Valid payloads of all metrics, windows, modes and locales; the fast validator accepts every one. */
export const builtPayloads: readonly HealthDetailPayload[] = combinations.flatMap(({ metric, viewWindow }) => {
  const plain = buildPayload({ metric, viewWindow })
  const rating = metric === 'rest' ? 'Poor' : metric === 'bark' ? 'frequent' : 'high'
  const mode = metric === 'rest' ? 'last_night' : 'today_so_far'
  return [
    plain,
    addPlaceholders(plain),
    buildPayload({ metric, viewWindow, rating: null, comparison: null, timezone: 'America/Argentina/Buenos_Aires' }),
    ...locales.map((locale) =>
      buildPayload({ metric, viewWindow, locale, rating, direction: 1, deteriorating: true, name: '小"糕é\n' }),
    ),
    viewWindow === 'day'
      ? buildPayload({ metric, viewWindow, mode })
      : buildPayload({ metric, viewWindow, asOf: '2026-10-14T10:30' }),
    buildPayload({ metric, viewWindow, timezone: 'Europe/London', date: '2026-10-25', asOf: '2026-11-01T00:40' }),
  ]
})

/** Valid payloads as lines, some of them with white space. */
export const validLines: readonly string[] = [
  ...builtPayloads.map((payload) => JSON.stringify(payload)),
  ...insightFixtures.map(({ payload }) => JSON.stringify(payload)),
  ...insightFixtures.map(({ payload }) => JSON.stringify(payload, undefined, 1).replaceAll(/\n */g, ' ')),
]

const bases = validLines.map((line) => Buffer.from(line).toString('latin1'))

/** A valid line after some changes. */
export interface MutatedLine {
  readonly bytes: Buffer
  readonly mutators: readonly string[]
}

const natural = fc.noBias(fc.nat())
const names = Object.keys(mutators)
const change = fc.tuple(fc.constantFrom(...names), natural, natural)

/** A valid line after one to four changes. fast-check makes the same ones from the same seed. */
export const mutatedLine: fc.Arbitrary<MutatedLine> = fc
  .tuple(fc.noBias(fc.constantFrom(...bases)), fc.array(change, { minLength: 1, maxLength: 4 }))
  .map(([base, changes]) => {
    let line = base
    // A cut may leave nothing to change.
    for (const [name, at, choice] of changes) line = line === '' ? line : (mutators[name]?.(line, at, choice) ?? line)
    const made = { bytes: Buffer.from(line, 'latin1'), mutators: changes.map(([name]) => name) }
    return Object.assign(made, { [fc.toStringMethod]: () => describeLine(made) })
  })

/** Writes a line as a row of a regression test has it: the bytes as the characters of a JSON text. */
export function describeLine({ bytes, mutators: changes }: MutatedLine): string {
  const escaped = JSON.stringify(bytes.toString('latin1')).replaceAll(
    /[\x7f-\xff]/g,
    (character) => `\\u00${character.charCodeAt(0).toString(16)}`,
  )
  return `${changes.join(', ')}:\nBuffer.from(${escaped}, 'latin1')`
}
