// run: takes 3 s, fleet
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Run } from '../helpers/svc.js'
import { openSession } from '../helpers/svc-session.js'
import { openTemporaryFolder } from '../helpers/temporary.js'

const diary = suite('svc diary')
const dog = fileURLToPath(new URL('../../fixtures/photos/dog.jpg', import.meta.url))
const env = { SVC_PUBLIC_URL: 'https://pets.example.com', SVC_STUB_FAIL: 'beach_run' }

let place: ReturnType<typeof openTemporaryFolder>
let asset: string
let imageId: string
const session = openSession()
const svc = (...args: string[]) => session.run([...args, '--data-dir', join(place.folder, 'data')], { env })
const json = ({ stdout }: Run) => JSON.parse(stdout)

diary.before(async () => {
  place = openTemporaryFolder()
  const owner = ['--user-id', 'u 7', '--pet-id', 'rex']
  const made = await svc(
    'avatar',
    'generate',
    dog,
    '--species',
    'dog',
    '--pose',
    'sitting',
    ...owner,
    '--wait',
    '--json',
  )
  asset = json(made).identity_asset_id
})
diary.after(async () => {
  await session.close()
  place.close()
})

diary('makes a picture of the pet of an asset, and saves it under its scene', async () => {
  const out = join(place.folder, 'out')
  const run = await svc('diary', 'generate', 'sofa_nap', '--asset', asset, '--out', out)
  assert.is(run.status, 0, run.stderr)
  assert.match(run.stdout, /^diary_\w+ success$/m)
  assert.match(run.stdout, join(out, 'sofa_nap.png'))
  assert.equal(readdirSync(out), ['sofa_nap.png'])
})

diary('says how to wait for a task under its owner, and the words do', async () => {
  const run = await svc('diary', 'generate', 'car_ride', '--asset', asset)
  assert.is(run.status, 0, run.stderr)
  const [, id = ''] = /task wait (diary_\w+) --user-id 'u 7' --pet-id rex /.exec(run.stdout) ?? []
  const unnamed = await svc('task', 'wait', id)
  assert.is(unnamed.status, 1)
  assert.match(unnamed.stderr, 'give --user-id')
  const waited = await svc('task', 'wait', id, '--user-id', 'u 7', '--pet-id', 'rex', '--json')
  assert.is(waited.status, 0, waited.stderr)
  imageId = json(waited).image_id
})

diary('makes several, and ends with 3 where some failed', async () => {
  const run = await svc('diary', 'generate', 'sofa_nap', 'beach_run', '--asset', asset, '--wait')
  assert.is(run.status, 3, run.stderr)
  assert.match(run.stdout, /^diary_lib_\w+ partial_success$/m)
  assert.match(run.stdout, /✓ sofa_nap success\n[\s\S]*✗ beach_run failed: /)
})

diary('names the mistake in a scene', async () => {
  const run = await svc('diary', 'generate', 'moon_walk', '--asset', asset)
  assert.is(run.status, 1)
  assert.match(run.stderr, '`scene_ids` has ')
})

diary('shows a picture by its ID', async () => {
  const run = await svc('diary', 'show', imageId, '--json')
  assert.is(run.status, 0, run.stderr)
  assert.is(json(run).scene_id, 'car_ride')
  assert.is((await svc('diary', 'show', 'img_none')).status, 1)
})

diary('lists pictures, newest first', async () => {
  const run = await svc('diary', 'list', '--user-id', 'u 7')
  assert.is(run.status, 0, run.stderr)
  const lines = run.stdout.trim().split('\n')
  assert.equal(
    lines.slice(0, -1).map((line) => line.split('  ').slice(1, 3).join(' ')),
    ['failed beach_run', 'success sofa_nap', 'success car_ride', 'success sofa_nap'],
  )
  assert.is(lines.at(-1), '4 in all, page 1 of 1')
  const beyond = await svc('diary', 'list', '--user-id', 'u 7', '--page', '2')
  assert.is(beyond.stdout, '4 in all, page 2 of 1, which is empty\n')
})

diary('chooses the picture of a day', async () => {
  const day = ['--date', '2026-10-20', '--weather', 'rain', '--location', 'home']
  const run = await svc('diary', 'select', '--species', 'dog', ...day)
  assert.is(run.status, 0, run.stderr)
  assert.match(
    run.stdout,
    /^img_\w+ {2}\w+ {2}0\.\d+ \(matched weather, location\)\n {2}https:\/\/pets\.example\.com\//,
  )
  assert.is((await svc('diary', 'select', '--species', 'dog', '--date', 'today')).status, 1)
})

const runScenes = (...args: string[]) => session.run(['diary', 'scenes', ...args])

diary('lists the scenes of the default library by category, with the day of each', async () => {
  const { status, stdout, stderr } = await runScenes()
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

diary('filters by version, species and category', async () => {
  const { stdout } = await runScenes('--version', 'V4.1', '--species', 'cat', '--category', 'species_day', '--json')
  const { version, total, scenes } = JSON.parse(stdout)
  assert.is(version, 'V4.1')
  assert.is(total, 6)
  assert.equal(
    scenes.filter(({ species, category }: Record<string, string>) => species === 'dog' || category !== 'species_day'),
    [],
  )
})

diary('compares two versions, with the reasons of those in between', async () => {
  const { status, stdout } = await runScenes('--diff', 'V3.0..V4.3')
  assert.is(status, 0)
  assert.match(stdout, 'V3.0..V4.3  46 added, 1 removed, 11 changed\n')
  assert.match(stdout, /^\+ rain_walk +Walk in the rain$/m)
  assert.match(stdout, /^- studio_portrait +Showed no day at all/m)
  assert.match(stdout, /^~ beach_run +People go to the beach.* \(facts\.season\)$/m)
  assert.match(stdout, /^~ adoption_day .* \(title\.es\)$/m)
})

diary('compares as JSON', async () => {
  const { from, to, added, removed, changed } = JSON.parse((await runScenes('--diff', 'V4.2..V4.3', '--json')).stdout)
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
  diary(`ends with 2 for ${args.join(' ')}`, async () => {
    const { status, stdout, stderr } = await runScenes(...args)
    assert.is(status, 2)
    assert.is(stdout, '')
    assert.match(stderr, expected)
  })
}

diary.run()
