/** Prints the losses at many moments: `npm run power -- --moments 100 --rounds 8 --late 150 --seed 1`. */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createRandom } from '../../helpers/random.js'
import { openTemporaryFolder } from '../../helpers/temporary.js'
import { chooseMoments, describeLoss, examineMoments, record } from './power-loss.js'
import { compilePreload } from './program.js'

const { values } = parseArgs({
  options: {
    moments: { type: 'string', default: '100' },
    rounds: { type: 'string', default: '8' },
    late: { type: 'string', default: '150' },
    seed: { type: 'string', default: String(Date.now() % 100_000) },
  },
})
const place = openTemporaryFolder()
try {
  const library = join(place.folder, 'preload.so')
  const obstacle = compilePreload(library)
  if (obstacle !== undefined) throw new Error(obstacle)
  const random = createRandom(Number(values.seed))
  const recording = await record(place.folder, library, Number(values.rounds))
  const counts = new Map<string, number>()
  for (const { what } of recording.promised) counts.set(what, (counts.get(what) ?? 0) + 1)
  print(`seed ${values.seed}: ${recording.entries.length} changes, ${recording.promised.length} answers`)
  print([...counts].map(([what, count]) => `${count} ${what}`).join(', '))
  const moments = chooseMoments(recording, Number(values.moments), random)
  const lossy: number[] = []
  let disks = 0
  for await (const outcome of examineMoments(recording, moments, place.folder, Number(values.late), random)) {
    disks++
    const loss = describeLoss(outcome)
    if (process.stderr.isTTY) process.stderr.write(`${disks} of ${3 * moments.length} disks\r`)
    if (loss === undefined) continue
    lossy.push(outcome.moment)
    print(loss)
  }
  print(`${lossy.length} of ${disks} disks lost something, at ${new Set(lossy).size} of ${moments.length} moments`)
  process.exitCode = lossy.length > 0 ? 1 : 0
} finally {
  place.close()
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
