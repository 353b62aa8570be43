import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createCountedKey, fill, toId } from './filled.js'
import type { BenchRow } from './row.js'
import { compare, toRows } from './server/compare.js'
import { startLoadGenerator, startPinned, startSvc, type World } from './server/processes.js'

const bareWriter = fileURLToPath(new URL('./server/feedback-writer.mjs', import.meta.url))
const tasks = 1000

/** Writes that are on disk before their answer, against SQLite alone over HTTP; takes about a minute. */
export async function benchDurable({ folder, keep }: World): Promise<BenchRow[]> {
  const load = keep(startLoadGenerator())
  const fillDataDir = async (name: string) => {
    const dataDir = join(folder, name)
    mkdirSync(dataDir)
    const file = await fill(join(dataDir, 'svc.db'), tasks)
    return { dataDir, file, headers: { authorization: `Bearer ${createCountedKey(dataDir)}` } }
  }
  const [own, raw] = [await fillDataDir('svc'), await fillDataDir('bare')]
  const svc = keep(await startSvc(own.dataDir))
  const bare = keep(await startPinned(process.execPath, [bareWriter, raw.file]))
  const bodies = Array.from({ length: tasks }, (_, index) => {
    const cos_key = `ai-gateway/avatars/${toId(index)}/sitting.png`
    return JSON.stringify({ feedbacks: [{ cos_key, liked: index % 3 === 0 }] })
  })
  const job = { path: '/v1/pet-avatars/feedback', bodies, connections: 32 }
  const results = await compare(load, {
    bare: { server: bare, job: { ...job, headers: raw.headers } },
    svc: { server: svc, job: { ...job, headers: own.headers } },
  })
  const what = 'POST of feedback, on disk before its answer, 32 connections'
  const of =
    'node:http that looks up the key, checks the fields, and makes one commit for a turn with `synchronous = FULL`'
  return toRows({ id: 'feedback', what, of, rate: 0.9 }, results.svc, results.bare)
}
