import { mkdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { listLeftovers, listOldLeftovers } from '../../../src/app/upkeep/snapshot-leftovers.js'
import { openTemporaryFolder } from '../../helpers/temporary.js'

const leftovers = suite('leftovers')
const { folder: path, close } = openTemporaryFolder()
leftovers.after(close)

leftovers('are the drafts and the trash of svc, and are old after a day', () => {
  const ours = ['.restore-draft', '.restore-draft-done', '.snapshot-77', '.trash']
  for (const name of [...ours, '.restore', '.trash-1000', 'objects']) mkdirSync(join(path, name))
  const now = Date.now()
  utimesSync(join(path, '.snapshot-77'), now / 1000, now / 1000 - 86_500)
  const paths = ours.map((name) => join(path, name))
  assert.equal(listLeftovers({ path }).sort(), paths)
  assert.equal(listOldLeftovers({ path }, now), [join(path, '.snapshot-77')])
  assert.equal(listLeftovers({ path: join(path, 'gone') }), [])
})

leftovers.run()
