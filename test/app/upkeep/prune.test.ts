// run: PostgreSQL
import { createSecretKey } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parseS3Address } from '../../../src/adapters/objects/s3/address.js'
import { openS3Objects } from '../../../src/adapters/objects/s3/store.js'
import { createUrlSignatures } from '../../../src/adapters/secret.js'
import { fleetObstacle, startFleet } from '../../helpers/fleet.js'
import { type Json, startMediaApp } from '../../helpers/media.js'
import { query } from '../../helpers/postgres.js'
import { s3Credentials } from '../../helpers/s3.js'
import { reportSkip } from '../../helpers/skip.js'
import { openSession } from '../../helpers/svc-session.js'
import { openTemporaryFolder } from '../../helpers/temporary.js'

const prune = suite('pruning of a database and a bucket')
const signatures = createUrlSignatures(createSecretKey(Buffer.alloc(32)), 60)

prune('removes old tasks with their objects, and objects without a task once they are an hour old', async () => {
  if (fleetObstacle !== undefined) return reportSkip(`pruning of a database and a bucket: ${fleetObstacle}`)
  const [fleet, place, session] = [await startFleet(), openTemporaryFolder(), openSession()]
  const env = { ...fleet.variables, SVC_DATA_DIR: place.folder }
  const run = async (...args: string[]): Promise<Json> => {
    const { status, stdout, stderr } = await session.run([...args, '--json'], { env })
    assert.is(status, 0, stderr + stdout)
    return JSON.parse(stdout)
  }
  const app = await startMediaApp(fleet.variables, place.folder)
  const other = await app.makeAvatar({ pose: 'sitting', user_id: 'u2', pet_id: 'p2' })
  const erased = await run('data', 'prune', '--pet', 'p2')
  assert.equal([erased.tasks, erased.objects, erased.log_lines > 0], [{ avatar: 1 }, 2, true])
  assert.is((await app.send('GET', `/v1/pet-avatar/tasks/${other.task_id}`)).status, 404)
  const avatar = await app.makeAvatar({ pose: 'sitting' })
  const older = await app.makeAnimation(avatar.task_id, 'sitting')
  await app.makeAnimation(avatar.task_id, 'sitting')
  await app.close()
  const store = openS3Objects(parseS3Address(fleet.s3.address), s3Credentials, signatures)
  const list = async () => {
    const keys: string[] = []
    for await (const { key } of store.list('ai-gateway/')) keys.push(key)
    return keys.sort()
  }
  const before = await list()
  await store.put('ai-gateway/photos/orphan.jpg', Buffer.from('photo'))

  const planned = await run('data', 'prune', '--older-than', '0s', '--dry-run')
  const done = await run('data', 'prune', '--older-than', '0s')
  for (const { tasks, objects } of [planned, done]) assert.equal([tasks, objects], [{ animation: 1 }, 2])
  assert.is(planned.object_bytes, done.object_bytes)
  const rest = before.filter((key) => !key.includes(older.task_id))
  assert.equal(await list(), [...rest, 'ai-gateway/photos/orphan.jpg'].sort())

  fleet.s3.onAnswer = ({ req }, body) => {
    if (!req.url?.includes('list-type')) return body
    return Buffer.from(String(body).replaceAll(/<LastModified>\d{4}/g, '<LastModified>2020'))
  }
  assert.is((await run('data', 'prune', '--older-than', '1d')).objects, 1)
  assert.equal(await list(), rest)

  await query(fleet.database, "update tasks set created_at = 1, finished_at = 1 where kind = 'animation'")
  const all = await run('data', 'prune', '--older-than', '0s', '--identity-assets')
  assert.equal(all.tasks, { animation: 1, avatar: 1 })
  assert.equal(await list(), [])
  await store.close()
  await session.close()
  await fleet.close()
  place.close()
})

prune.run()
