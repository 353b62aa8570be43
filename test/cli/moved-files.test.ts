import { cpSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { insightFixtures } from '../helpers/fixtures.js'
import { type RunningSvc, startSvc } from '../helpers/svc.js'
import { openTemporaryFolder } from '../helpers/temporary.js'

const moved = suite('svc serve whose files are moved')
let place: ReturnType<typeof openTemporaryFolder>
let svc: RunningSvc
moved.before.each(() => {
  place = openTemporaryFolder()
  svc = startSvc(['serve', '--port', '0', '--json', '--data-dir', join(place.folder, 'data')])
})
moved.after.each(async () => {
  svc.child.kill('SIGKILL')
  await svc.ended
  place.close()
})

/** A change of the files of a running server, and its reversal where that is possible. */
interface Move {
  readonly what: string
  away(dataDir: string, other: string): void
  back?(dataDir: string, other: string): void
}

/** Others are in `file-guard.test.ts`. */
const moves: readonly Move[] = [
  {
    what: 'its database is replaced by a copy',
    away(dataDir, other) {
      renameSync(join(dataDir, 'svc.db'), join(other, 'svc.db'))
      cpSync(join(other, 'svc.db'), join(dataDir, 'svc.db'))
    },
    back: (dataDir, other) => renameSync(join(other, 'svc.db'), join(dataDir, 'svc.db')),
  },
  {
    what: 'its data directory is removed',
    away: (dataDir, other) => {
      // At once: the server may add a file to a folder that is removed file by file.
      renameSync(dataDir, join(other, 'removed'))
      rmSync(join(other, 'removed'), { recursive: true })
    },
  },
]

for (const { what, away, back } of moves) {
  moved(`answers 503 after ${what}, says so once${back ? ', and goes on when it is back' : ''}`, async () => {
    const dataDir = join(place.folder, 'data')
    const { url, key } = JSON.parse(await svc.nextLine())
    const post = async (path: string, body: unknown) => {
      const headers = { authorization: `Bearer ${key.key}`, 'content-type': 'application/json' }
      const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
      await response.text()
      return response.status
    }
    const calls: Readonly<Record<string, () => Promise<number>>> = {
      'home card': () => post('/v1/home-insights/generate', { user_id: 'u', pet_id: 'p' }),
      insight: () => post('/v1/health-detail-insights/generate', insightFixtures[0]?.payload),
      health: async () => (await fetch(`${url}/health`)).status,
    }
    const untilAll = async (status: number) => {
      for (const [name, call] of Object.entries(calls)) {
        for (let tries = 0, found = 0; found !== status; tries++) {
          found = await call()
          assert.ok(tries < 10_000, `${name}: ${found}`)
          await delay(10)
        }
      }
      for (const [name, call] of Object.entries(calls)) assert.is(await call(), status, name)
    }

    await untilAll(200)
    away(dataDir, place.folder)
    await untilAll(503)
    const said = svc.errors().match(/was removed or replaced while the service runs/g) ?? []
    assert.is(said.length, 1, svc.errors())
    if (back) {
      back(dataDir, place.folder)
      await untilAll(200)
    }
  })
}

moved.run()
