import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { bundleProgram } from '../../../helpers/child.js'
import { openTemporaryFolder } from '../../../helpers/temporary.js'

const opening = suite('files that several processes create')
const { folder, close } = openTemporaryFolder()
opening.after(close)

opening('are opened by all of them', async () => {
  const start = await bundleProgram('adapters/sql/sqlite/open-files.ts')
  const startsAt = Date.now() + 1000
  const children = Array.from({ length: 4 }, () => start([folder, '40', String(startsAt)]))
  await Promise.all(children.map(({ ended }) => ended))
  assert.equal(
    children.map(({ lines }) => lines),
    children.map(() => ['done']),
  )
})

opening.run()
