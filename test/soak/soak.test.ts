import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openTemporaryFolder } from '../helpers/temporary.js'
import { runSoak } from './soak.js'

const soak = suite('soak')
const place = openTemporaryFolder()
soak.after(() => place.close())

soak('agrees with every answer to the row, after two kills in mixed load', async () => {
  const seed = Date.now() % 100_000
  // A machine that runs other tests may take long for the group that is lost 100 ms late at most. `npm run soak` is strict.
  const options = { minutes: 1 / 6, killEveryMs: 3500, seed, lateMs: 2000, restMs: 0 }
  const { program, facts, differences } = await runSoak(place.folder, options)
  assert.is(differences.join('\n'), '', `seed ${seed}`)
  assert.is(program.kills.length, 2)
  assert.ok(facts > 100, `${facts} facts`)
})

soak.run()
