import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { generate, loadInsightCopy, validate } from '../../src/index.js'
import { buildPayload, combinations } from '../helpers/payloads.js'
import { program, runNode, runSvc } from '../helpers/svc.js'
import { openTemporaryFolder } from '../helpers/temporary.js'
import { type BenchRow, measureInterleaved } from './row.js'

const payloads = combinations.map((kind) => buildPayload(kind))
const lines = payloads.map((payload) => `${JSON.stringify(payload)}\n`)
const lineAt = (index: number) => (lines[index % lines.length] ?? '').replace('pet-7731', `pet-${index}`)

/** Measures the speed of `svc validate` and of the core that it calls. */
export async function benchValidate(): Promise<BenchRow[]> {
  const { write, folder, close } = openTemporaryFolder()
  try {
    const file = write('one.json', JSON.stringify(payloads[0], undefined, 2))
    const many = write('many.ndjson', Array.from({ length: 100_000 }, (_, index) => lineAt(index)).join(''))
    return [
      await benchColdStart(file),
      ...(await benchBulk(many)),
      await benchCore(),
      await benchMemory(`${folder}/million.ndjson`),
    ]
  } finally {
    close()
  }
}

async function benchColdStart(file: string): Promise<BenchRow> {
  const seconds = await measureInterleaved(
    { node: () => runNode(['-e', '0']), svc: () => runSvc(['validate', file]) },
    31,
  )
  const ratio = seconds.svc / seconds.node
  return {
    what: '`svc validate` of one file, cold',
    measured: `${ratio.toFixed(2)} x \`node -e 0\``,
    goal: 'at most 1.25',
    met: ratio <= 1.25,
  }
}

async function benchBulk(many: string): Promise<BenchRow[]> {
  const texts = readFileSync(many, 'utf8').split('\n').slice(0, -1)
  const cores = availableParallelism()
  const seconds = await measureInterleaved(
    {
      parse: () => {
        for (const text of texts) JSON.parse(text)
      },
      one: () => runSvc(['validate', '--threads', '1', many]),
      all: () => runSvc(['validate', many]),
    },
    5,
  )
  const toRow = (what: string, ratio: number, goal: number): BenchRow => ({
    what: `\`svc validate\` of 100,000 payloads (NDJSON), ${what}`,
    measured: `${ratio.toFixed(2)} of a loop of \`JSON.parse\` alone`,
    goal: `at least ${goal}`,
    met: ratio >= goal,
  })
  return [
    toRow('one thread', seconds.parse / seconds.one, 0.5),
    toRow(`${cores} threads`, seconds.parse / seconds.all, 0.9),
  ]
}

async function benchCore(): Promise<BenchRow> {
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
  const rate = count / core
  return {
    what: '`validate` + `generate` in process, one core',
    measured: `${Math.round(rate / 1000)},000 payloads a second`,
    goal: 'more than 60,000',
    met: rate > 60_000,
  }
}

/** Peak memory for a million lines, of that for a tenth of them. */
async function benchMemory(path: string): Promise<BenchRow> {
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
  return {
    what: 'peak memory of `svc validate`, 1,000,000 payloads (NDJSON)',
    measured: `${(million / tenth).toFixed(2)} x that of 100,000 (${Math.round(million)} MiB)`,
    goal: 'at most 1.25',
    met: million / tenth <= 1.25,
  }
}

async function measurePeak(path: string): Promise<number> {
  const hook = fileURLToPath(new URL('./print-peak.cjs', import.meta.url))
  const child = spawn(process.execPath, ['--require', hook, program, 'validate', path], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let text = ''
  child.stderr.on('data', (chunk) => {
    text += chunk
  })
  await once(child, 'close')
  return Number(text)
}
