import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openTemporaryFolder } from '../helpers/temporary.js'
import { type BenchRow, median } from './row.js'
import { drive, start, startLoadGenerator } from './server/processes.js'
import { createCountedKey, fill, toId } from './tasks.js'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const program = at('../../bin/svc.js')
const bareWriter = at('./server/feedback-writer.mjs')
const tasks = 1000
const rounds = 7
const secondsPerRound = 2

/** Writes that are on disk before their answer, against SQLite alone over HTTP; takes about a minute. */
export async function benchDurable(): Promise<BenchRow[]> {
  const { folder, close } = openTemporaryFolder()
  const load = startLoadGenerator()
  const fillDataDir = async (name: string) => {
    const dataDir = join(folder, name)
    mkdirSync(dataDir)
    const file = await fill(join(dataDir, 'svc.db'), tasks)
    return { dataDir, file, headers: { authorization: `Bearer ${createCountedKey(dataDir)}` } }
  }
  const [own, raw] = [await fillDataDir('svc'), await fillDataDir('bare')]
  const svc = await start(process.execPath, [program, 'serve', '--port', '0', '--json', '--data-dir', own.dataDir])
  const bare = await start(process.execPath, [bareWriter, raw.file])
  try {
    const bodies = Array.from({ length: tasks }, (_, index) => {
      const cos_key = `ai-gateway/avatars/${toId(index)}/sitting.png`
      return JSON.stringify({ feedbacks: [{ cos_key, liked: index % 3 === 0 }] })
    })
    const path = '/v1/pet-avatars/feedback'
    const ratios: number[] = []
    const rates: number[] = []
    const micros: number[] = []
    for (let round = 0; round <= rounds; round++) {
      const job = { path, bodies, connections: 32, seconds: secondsPerRound }
      const alone = await drive(load, bare, { ...job, headers: raw.headers })
      const { perSecond, cpuMicros } = await drive(load, svc, { ...job, headers: own.headers })
      // The first round fills caches.
      if (round === 0) continue
      ratios.push(perSecond / alone.perSecond)
      rates.push(perSecond)
      micros.push(alone.cpuMicros / cpuMicros)
    }
    const ratio = median(ratios)
    return [
      {
        what: 'POST feedback, on disk before its answer, 32 connections',
        measured: `${ratio.toFixed(2)} of SQLite over node:http, one commit for a turn (${Math.round(median(rates))}/s); by CPU time ${median(micros).toFixed(2)}`,
        goal: '>= 0.9',
        met: ratio >= 0.9,
      },
    ]
  } finally {
    load.stop()
    await Promise.all([svc.stop(), bare.stop()])
    close()
  }
}
