import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { Disk, type Loss } from './disk.js'
import { examine } from './examine.js'
import { readLog } from './log.js'
import { createLoggedProgram } from './program.js'
import { Workload } from './workload.js'

/** The first start of a server, its work for few and for many callers, and a restore, as recorded. */
export type Recording = Awaited<ReturnType<typeof record>>

/** Runs the program and records its changes and its answers. */
export async function record(folder: string, library: string, rounds: number) {
  const program = createLoggedProgram(folder, library)
  const workload = new Workload(program)
  /** Sizes of the log at which each phase begins, and its end. */
  const phases: number[] = []
  const server = await program.serve()
  try {
    phases.push(0)
    await workload.prepare()
    phases.push(program.readMoment())
    await workload.runQuiet(rounds)
    phases.push(program.readMoment())
    await workload.runBusy(rounds)
    await server.stop()
    phases.push(program.readMoment())
    await workload.restore(join(folder, 'snapshot.tgz'))
    phases.push(program.readMoment())
  } finally {
    server.kill()
  }
  const { root, dataDir, log } = program
  return { root, dataDir, entries: readLog(log), promised: workload.promised, phases }
}

/** Chooses moments in each phase, by turns at an answer and after any change. */
export function chooseMoments({ entries, promised, phases }: Recording, count: number, random: () => number): number[] {
  const moments: number[] = []
  for (let index = 0; index < count; index++) {
    const phase = index % (phases.length - 1)
    const isIn = (end: number) => end > (phases[phase] ?? 0) && end <= (phases[phase + 1] ?? 0)
    const answers = promised.map(({ at }) => at).filter(isIn)
    const isAtAnswer = Math.floor(index / (phases.length - 1)) % 2 === 0 && answers.length > 0
    const ends = isAtAnswer ? answers : entries.map(({ end }) => end).filter(isIn)
    moments.push(ends[Math.floor(random() * ends.length)] ?? 0)
  }
  return moments.sort((one, other) => one - other)
}

/** The defects after one power loss. */
export interface Outcome {
  readonly moment: number
  readonly loss: Loss
  readonly defects: readonly string[]
}

/**
 * Rebuilds and examines the disk at each moment, in each mode. Insights and log lines may be lost that were answered in the
 * last `lateMs`.
 */
export async function* examineMoments(
  { root, dataDir, entries, promised }: Recording,
  moments: readonly number[],
  folder: string,
  lateMs: number,
  random: () => number,
): AsyncGenerator<Outcome> {
  const disk = new Disk(root)
  let next = 0
  for (const moment of moments) {
    for (let entry = entries[next]; entry !== undefined && entry.end <= moment; entry = entries[++next])
      disk.apply(entry)
    const now = entries[next - 1]?.timeMs ?? 0
    const due = promised.filter(
      ({ at, timeMs, isLate, endsAt }) =>
        at <= moment && (endsAt ?? Number.POSITIVE_INFINITY) > moment && (!isLate || timeMs < now - lateMs),
    )
    const readBefore = (key: string) => {
      const file = join(dataDir, 'objects', key)
      // A restore moves files away for a moment; they do not change.
      return disk.read(file) ?? (existsSync(file) ? readFileSync(file) : undefined)
    }
    const examineAfter = async (loss: Loss): Promise<Outcome> => {
      const target = join(folder, loss)
      disk.writeAfter(loss, target, random)
      const defects = await examine(join(target, relative(root, dataDir)), due, now, readBefore)
      rmSync(target, { recursive: true })
      return { moment, loss, defects }
    }
    yield* await Promise.all((['strict', 'torn', 'names'] as const).map(examineAfter))
  }
}

/** Describes a disk that lost something, with its first defects; undefined for another. */
export function describeLoss({ moment, loss, defects }: Outcome): string | undefined {
  if (defects.length === 0) return undefined
  return `${loss} at ${moment}: ${defects.length} defects: ${defects.slice(0, 5).join('; ')}`
}
