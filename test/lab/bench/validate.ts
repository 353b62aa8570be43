import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { generate, loadInsightCopy, validate } from '../../../src/index.js'
import { buildPayload, combinations } from '../../helpers/payloads.js'
import { program, runNode, runSvc } from '../../helpers/svc.js'
import { atLeast, atMost, type BenchRow, measureInterleaved, median, row, timeRatios } from './row.js'
import { pin, type World } from './server/processes.js'

const payloads = combinations.map((kind) => buildPayload(kind))
const lines = payloads.map((payload) => `${JSON.stringify(payload)}\n`)
const lineAt = (index: number) => (lines[index % lines.length] ?? '').replace('pet-7731', `pet-${index}`)

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** `svc validate` of one file, against Node that does nothing. */
export async function benchCold({ write }: World): Promise<BenchRow[]> {
  const file = write('one.json', JSON.stringify(payloads[0], undefined, 2))
  const run = (args: readonly string[]) => spawnSync(...pin(0, process.execPath, args))
  const seconds = await measureInterleaved(
    { node: () => run(['-e', '0']), svc: () => run([program, 'validate', file]) },
    41,
  )
  return [
    row(
      'validate-cold',
      '`svc validate` of one file, cold: time, of `node -e 0`',
      timeRatios(seconds.svc, seconds.node),
      atMost(1.3),
      `${(median(seconds.svc) * 1000).toFixed(0)} ms`,
    ),
  ]
}

export async function benchBulk({ write }: World): Promise<BenchRow[]> {
  const many = write('many.ndjson', Array.from({ length: 100_000 }, (_, index) => lineAt(index)).join(''))
  const texts = readFileSync(many, 'utf8').split('\n').slice(0, -1)
  const schema = JSON.parse(readFileSync(at('../../../dist/health-detail-v3.schema.json'), 'utf8'))
  const hasStructure = new Ajv2020({ strict: false }).compile(schema)
  const seconds = await measureInterleaved(
    {
      parse: () => {
        for (const text of texts) JSON.parse(text)
      },
      ajv: () => {
        for (const text of texts) if (!hasStructure(JSON.parse(text))) throw new Error(text)
      },
      parseOnTwo: () => runNode([at('./server/parse-lines.mjs'), many]),
      one: () => runSvc(['validate', '--threads', '1', many]),
      two: () => runSvc(['validate', '--threads', '2', many]),
    },
    7,
  )
  const toRow = (id: string, how: string, values: readonly number[], goal: number, note?: string) =>
    row(id, `\`svc validate\` of 100,000 payloads (NDJSON), ${how}`, values, atLeast(goal), note)
  const loop = 'rate, of a loop of `JSON.parse`'
  const withAjv = `one thread: ${loop} and Ajv with the published schema`
  const onTwo = 'two threads: rate, of a program that does `JSON.parse` on two threads'
  const note = `${median(timeRatios(seconds.parse, seconds.two)).toFixed(2)} of the loop on one thread`
  return [
    toRow('validate-one', `one thread: ${loop}`, timeRatios(seconds.parse, seconds.one), 0.5),
    toRow('validate-ajv', withAjv, timeRatios(seconds.ajv, seconds.one), 1),
    toRow('validate-two', onTwo, timeRatios(seconds.parseOnTwo, seconds.two), 0.85, note),
  ]
}

export async function benchCore(): Promise<BenchRow[]> {
  const copy = await loadInsightCopy()
  const count = 30_000
  const many = Array.from({ length: count }, (_, index) => JSON.parse(lineAt(index)))
  const { core } = await measureInterleaved(
    {
      core: () => {
        for (const payload of many) if (validate(payload).errors.length === 0) generate(payload, { copy })
      },
    },
    5,
  )
  return [
    row(
      'validate-core',
      '`validate` and `generate` in process, one core, payloads',
      core.map((seconds) => count / seconds),
      atLeast(60_000, '/s'),
    ),
  ]
}

/** Peak memory for a million lines, of that for a tenth of them. */
export async function benchPeak({ folder }: World): Promise<BenchRow[]> {
  const path = `${folder}/lines.ndjson`
  const peaks: number[] = []
  for (const count of [100_000, 1_000_000]) {
    const file = createWriteStream(path)
    for (let index = 0; index < count; index += 1000) {
      const block = Array.from({ length: 1000 }, (_, offset) => lineAt(index + offset)).join('')
      if (!file.write(block)) await once(file, 'drain')
    }
    file.end()
    await once(file, 'close')
    peaks.push(await measurePeak(path))
  }
  const [tenth = 0, million = 0] = peaks
  return [
    row(
      'validate-peak',
      'peak memory of `svc validate` of 1,000,000 payloads (NDJSON), of that of 100,000',
      [million / tenth],
      atMost(1.25),
      `${Math.round(million)} MiB`,
    ),
  ]
}

async function measurePeak(path: string): Promise<number> {
  const args = ['--require', at('./print-peak.cjs'), program, 'validate', path]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  return Number(Buffer.concat(await child.stderr.toArray()))
}
