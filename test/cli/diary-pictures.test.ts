// run: takes 10 s, fleet
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Run, runSvc } from '../helpers/svc.js'
import { openTemporaryFolder } from '../helpers/temporary.js'

const diary = suite('svc diary generate, select, list, show')
const dog = fileURLToPath(new URL('../../fixtures/photos/dog.jpg', import.meta.url))
const env = { SVC_PUBLIC_URL: 'https://pets.example.com', SVC_STUB_FAIL: 'beach_run' }

let place: ReturnType<typeof openTemporaryFolder>
let asset: string
let imageId: string
const svc = (...args: string[]): Run => runSvc([...args, '--data-dir', join(place.folder, 'data')], { env })
const json = ({ stdout }: Run) => JSON.parse(stdout)

diary.before(() => {
  place = openTemporaryFolder()
  const owner = ['--user-id', 'u 7', '--pet-id', 'rex']
  const made = svc('avatar', 'generate', dog, '--species', 'dog', '--pose', 'sitting', ...owner, '--wait', '--json')
  asset = json(made).identity_asset_id
})
diary.after(() => place.close())

diary('makes a picture of the pet of an asset, and saves it under its scene', () => {
  const out = join(place.folder, 'out')
  const run = svc('diary', 'generate', 'sofa_nap', '--asset', asset, '--out', out)
  assert.is(run.status, 0, run.stderr)
  assert.match(run.stdout, /^diary_\w+ success$/m)
  assert.match(run.stdout, join(out, 'sofa_nap.png'))
  assert.equal(readdirSync(out), ['sofa_nap.png'])
})

diary('says how to wait for a task under its owner, and the words do', () => {
  const run = svc('diary', 'generate', 'car_ride', '--asset', asset)
  assert.is(run.status, 0, run.stderr)
  const [, id = ''] = /task wait (diary_\w+) --user-id 'u 7' --pet-id rex /.exec(run.stdout) ?? []
  const unnamed = svc('task', 'wait', id)
  assert.is(unnamed.status, 1)
  assert.match(unnamed.stderr, 'give --user-id')
  const waited = svc('task', 'wait', id, '--user-id', 'u 7', '--pet-id', 'rex', '--json')
  assert.is(waited.status, 0, waited.stderr)
  imageId = json(waited).image_id
})

diary('makes several, and ends with 3 where some failed', () => {
  const run = svc('diary', 'generate', 'sofa_nap', 'beach_run', '--asset', asset, '--wait')
  assert.is(run.status, 3, run.stderr)
  assert.match(run.stdout, /^diary_lib_\w+ partial_success$/m)
  assert.match(run.stdout, /✓ sofa_nap success\n[\s\S]*✗ beach_run failed: /)
})

diary('names the mistake in a scene', () => {
  const run = svc('diary', 'generate', 'moon_walk', '--asset', asset)
  assert.is(run.status, 1)
  assert.match(run.stderr, '`scene_ids` has ')
})

diary('shows a picture by its ID', () => {
  const run = svc('diary', 'show', imageId, '--json')
  assert.is(run.status, 0, run.stderr)
  assert.is(json(run).scene_id, 'car_ride')
  assert.is(svc('diary', 'show', 'img_none').status, 1)
})

diary('lists pictures, newest first', () => {
  const run = svc('diary', 'list', '--user-id', 'u 7')
  assert.is(run.status, 0, run.stderr)
  const lines = run.stdout.trim().split('\n')
  assert.equal(
    lines.slice(0, -1).map((line) => line.split('  ').slice(1, 3).join(' ')),
    ['failed beach_run', 'success sofa_nap', 'success car_ride', 'success sofa_nap'],
  )
  assert.is(lines.at(-1), '4 in all, page 1 of 1')
  const beyond = svc('diary', 'list', '--user-id', 'u 7', '--page', '2')
  assert.is(beyond.stdout, '4 in all, page 2 of 1, which is empty\n')
})

diary('chooses the picture of a day', () => {
  const run = svc(
    'diary',
    'select',
    '--species',
    'dog',
    '--date',
    '2026-10-20',
    '--weather',
    'rain',
    '--location',
    'home',
  )
  assert.is(run.status, 0, run.stderr)
  assert.match(
    run.stdout,
    /^img_\w+ {2}\w+ {2}0\.\d+ \(matched weather, location\)\n {2}https:\/\/pets\.example\.com\//,
  )
  assert.is(svc('diary', 'select', '--species', 'dog', '--date', 'today').status, 1)
})

diary.run()
