// run: fleet
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { runSvc } from '../helpers/svc.js'

const diary = suite('svc diary')
const run = (...args: string[]) => runSvc(['diary', 'scenes', ...args])

diary('lists the scenes of the default library by category, with the day of each', () => {
  const { status, stdout, stderr } = run()
  assert.is(status, 0, stderr)
  assert.match(stdout, /^V4\.3 {2}released 2026-09-14, the default: 63 scenes\n/)
  assert.match(
    stdout,
    /\ncommon {2}36\n[\s\S]*\nfederal_holiday {2}11\n[\s\S]*\npersonal {2}7\n[\s\S]*\nspecies_day {2}9\n/,
  )
  assert.match(stdout, 'Thanksgiving  (fourth Thursday of November)')
  assert.match(stdout, 'Memorial Day  (last Monday of May)')
  assert.match(stdout, 'Juneteenth  (June 19, from 2021)')
  assert.match(stdout, 'Take Your Dog to Work Day  (5 days after the third Sunday of June)')
})

diary('filters by version, species and category', () => {
  const { stdout } = run('--version', 'V4.1', '--species', 'cat', '--category', 'species_day', '--json')
  const { version, total, scenes } = JSON.parse(stdout)
  assert.is(version, 'V4.1')
  assert.is(total, 6)
  assert.equal(
    scenes.filter(({ species, category }: Record<string, string>) => species === 'dog' || category !== 'species_day'),
    [],
  )
})

diary('compares two versions, with the reasons of those in between', () => {
  const { status, stdout } = run('--diff', 'V3.0..V4.3')
  assert.is(status, 0)
  assert.match(stdout, 'V3.0..V4.3  46 added, 1 removed, 11 changed\n')
  assert.match(stdout, /^\+ rain_walk +Walk in the rain$/m)
  assert.match(stdout, /^- studio_portrait +Showed no day at all/m)
  assert.match(stdout, /^~ beach_run +People go to the beach.* \(facts\.season\)$/m)
  assert.match(stdout, /^~ adoption_day .* \(title\.es\)$/m)
})

diary('compares as JSON', () => {
  const { from, to, added, removed, changed } = JSON.parse(run('--diff', 'V4.2..V4.3', '--json').stdout)
  assert.equal([from, to, added.length, removed.length], ['V4.2', 'V4.3', 14, 0])
  const city = changed.find(({ scene_id }: { scene_id: string }) => scene_id === 'city_walk')
  assert.equal([city.members, city.reasons.length], [['prompt'], 1])
})

const mistakes: readonly (readonly [args: readonly string[], expected: string])[] = [
  [['--version', 'V9'], 'Allowed choices are V4.3, V4.2, V4.1, V4.0, V3.0'],
  [['--diff', 'V4.2'], 'Known versions: V4.3, V4.2, V4.1, V4.0, V3.0'],
  [['--diff', 'V4.3..V4.2'], 'The first version must be the older one'],
  [['--diff', 'V4.2..V4.2'], 'The first version must be the older one'],
  [['--diff', 'V4.2..V4.3', '--species', 'dog'], 'cannot be used with'],
  [['--category', 'weekend'], 'Allowed choices are common, federal_holiday, personal, species_day'],
]
for (const [args, expected] of mistakes) {
  diary(`ends with 2 for ${args.join(' ')}`, () => {
    const { status, stdout, stderr } = run(...args)
    assert.is(status, 2)
    assert.is(stdout, '')
    assert.match(stderr, expected)
  })
}

diary.run()
