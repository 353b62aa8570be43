// run: takes 18 s
import { existsSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createRandom } from '../../helpers/random.js'
import { reportSkip } from '../../helpers/skip.js'
import { openTemporaryFolder } from '../../helpers/temporary.js'
import { Disk } from './disk.js'
import { chooseMoments, describeLoss, examineMoments, type Recording, record } from './power-loss.js'
import { compilePreload } from './program.js'

const power = suite('power loss')
/** Two in each phase: at an answer, and after any change. */
const moments = 8
const rounds = 1
/** A machine that runs other tests may take long for the group that is lost 100 ms late at most. `npm run power` is strict. */
const lateMs = 2000
let place: ReturnType<typeof openTemporaryFolder>
let recording: Recording | undefined
let obstacle: string | undefined
power.before(async () => {
  place = openTemporaryFolder()
  const library = join(place.folder, 'preload.so')
  obstacle = compilePreload(library)
  if (obstacle === undefined) recording = await record(place.folder, library, rounds)
})
power.after(() => place.close())

power('loses nothing that was acknowledged', async () => {
  if (recording === undefined) return reportSkip(obstacle ?? '')
  const seed = Date.now() % 100_000
  const random = createRandom(seed)
  const chosen = chooseMoments(recording, moments, random)
  const losses: string[] = []
  for await (const outcome of examineMoments(recording, chosen, place.folder, lateMs, random)) {
    const loss = describeLoss(outcome)
    if (loss !== undefined) losses.push(loss)
  }
  assert.equal(losses, [], `seed ${seed}`)
})

power('removes the files of a task before it acknowledges the deletion', () => {
  if (recording === undefined) return reportSkip(obstacle ?? '')
  const { root, dataDir, entries, promised } = recording
  const deletions = promised.filter(({ removedKeys }) => removedKeys !== undefined)
  assert.ok(deletions.length > 0)
  for (const { at, removedKeys = [] } of deletions) {
    assert.ok(removedKeys.length > 0)
    const disk = new Disk(root)
    for (const entry of entries) if (entry.end <= at) disk.apply(entry)
    const rebuilt = join(place.folder, 'deleted')
    disk.writeAfter('strict', rebuilt, Math.random)
    const objects = join(rebuilt, relative(root, dataDir), 'objects')
    assert.equal(
      removedKeys.filter((key) => existsSync(join(objects, key))),
      [],
    )
    rmSync(rebuilt, { recursive: true })
  }
})

power.run()
