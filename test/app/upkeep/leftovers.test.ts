import { existsSync, mkdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { listLeftovers, removeOldLeftovers } from '../../../src/app/upkeep/leftovers.js'
import { openTemporaryFolder } from '../../helpers/temporary.js'

const leftovers = suite('leftovers')
const { folder: path, close } = openTemporaryFolder()
leftovers.after(close)

leftovers('are the drafts and the trash of svc, and are removed after a day', () => {
  const ours = ['.restore-draft', '.restore-draft-done', '.snapshot-77', '.snapshot-78', '.trash']
  const others = ['.restore', '.trash-1000', 'objects']
  for (const name of [...ours, ...others]) mkdirSync(join(path, name))
  const now = Date.now()
  for (const name of ['.snapshot-77', '.trash-1000']) utimesSync(join(path, name), now / 1000, now / 1000 - 86_500)
  assert.equal(
    listLeftovers({ path }).sort(),
    ours.map((name) => join(path, name)),
  )
  removeOldLeftovers({ path }, now)
  const removed = [...ours, ...others].filter((name) => !existsSync(join(path, name)))
  assert.equal(removed, ['.snapshot-77'])
  assert.equal(listLeftovers({ path: join(path, 'gone') }), [])
})

leftovers.run()
