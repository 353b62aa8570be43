// run: fleet
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createMedia, type MediaParts } from '../../src/app/media.js'
import { loadConfig } from '../../src/config.js'
import { SvcError } from '../../src/errors.js'

const media = suite('notices of a server')

media('has a notice instead of an error if the database fails after the start', async () => {
  const outage = new SvcError('unavailable', 'The database does not answer.')
  const parts: Pick<MediaParts, 'config' | 'runsTasks' | 'loadOperation'> & {
    store: Pick<MediaParts['store'], 'countQueued'>
  } = {
    config: loadConfig({}, {}),
    runsTasks: false,
    loadOperation: async () => undefined,
    store: { countQueued: () => Promise.reject(outage) },
  }
  const [notice = ''] = await createMedia(parts as MediaParts).listNotices()
  assert.match(notice, /were not checked: .*The database does not answer\.$/)
})

media.run()
