// run: takes 7 s
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createClipLooper, startLoopProcess } from '../../../src/adapters/clips/clip-looper.js'
import { startReader } from '../../../src/adapters/photos/photo-reader.js'
import { createStubProvider } from '../../../src/adapters/providers/stub/provider.js'
import { killGroup } from '../../../src/runtime/serve-jobs.js'
import { makeHostileClips } from '../../helpers/hostile-clips.js'
import { buildCall, buildClipRequest } from '../../helpers/provider-calls.js'
import { reportSkip } from '../../helpers/skip.js'
import { thrownBy } from '../../helpers/thrown.js'

const clips = suite('hostile clips')
const photo = readFileSync(new URL('../../../fixtures/photos/dog.jpg', import.meta.url))
const nowhere = '/nowhere/ffmpeg'
/** In kilobytes; an idle process has about 100,000. */
const memoryAtMost = 300_000
/** A hostile clip ends within this time, or its process does. */
const patienceMs = 5000

async function makeStubClip(): Promise<Uint8Array> {
  const provider = createStubProvider({ delayMs: 0, fail: [] })
  const clip = await provider.generateClip(buildClipRequest({ bytes: photo, contentType: 'image/jpeg' }), buildCall())
  await provider.close()
  return clip.mp4 ?? new Uint8Array()
}

let child: ChildProcess | undefined

/** Returns the failure of a clip, and its reason. One process serves all clips until one of them ends it or takes too long. */
async function failureOf(mp4: Uint8Array): Promise<readonly [failure: string, reason: string | undefined]> {
  if (child === undefined) {
    child = await startLoopProcess()
    child.once('exit', () => {
      child = undefined
    })
    await once(child, 'message')
  }
  const asked = child
  const answered = new AbortController()
  const late = setTimeout(() => killGroup(asked.pid ?? 0), patienceMs)
  try {
    const outcomes = ['message', 'exit'].map((event) => once(asked, event, answered))
    for (const outcome of outcomes) outcome.catch(() => {})
    asked.send({ request: { mp4, ffmpeg: nowhere } })
    const [said, signal] = await Promise.race(outcomes)
    return [said?.answer?.failure ?? `${said ?? signal}`, said?.answer?.reason]
  } finally {
    clearTimeout(late)
    answered.abort()
  }
}

function readPeak({ pid }: ChildProcess): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmHWM:\s*(\d+) kB/.exec(status)?.[1])
}

for (const [name, bytes, says] of await makeHostileClips(await makeStubClip())) {
  clips(`${says === undefined ? 'reads a video with' : 'rejects'} ${name}`, async () => {
    const [failure, reason] = await failureOf(bytes)
    // A valid clip fails only because its decoder does not exist.
    assert.match(failure, says ?? /^\/nowhere\/ffmpeg cannot be started/)
    assert.is(reason, says === undefined ? 'unsupported' : 'broken')
    if (!existsSync('/proc/self/status')) return reportSkip('the memory of a process is only read from /proc')
    assert.ok(child !== undefined, 'the process ended')
    assert.ok(readPeak(child) < memoryAtMost, `${readPeak(child)} kB`)
  })
}

clips('ends the process of a clip that exceeds its memory limit', async () => {
  if (process.platform !== 'linux') return reportSkip('only Linux limits the memory of a process')
  const looper = createClipLooper({ ffmpeg: nowhere, start: () => startLoopProcess({ memoryMiB: 200 }) })
  const { message } = await thrownBy(looper.toLoop(Buffer.alloc(64 << 20), new AbortController().signal))
  await looper.close()
  assert.match(message, /^The process that decodes clips exited/)
})

/** The limits of each child that reads files of strangers: MiB of memory, seconds of processor time until SIGXCPU. */
const limited = [
  ['clips', startLoopProcess, 1536, 30],
  ['photos', startReader, 768, 600],
] as const
for (const [name, start, memoryMiB, cpuSeconds] of limited) {
  clips(`limits memory and processor time of the process that reads ${name}`, async () => {
    if (process.platform !== 'linux') return reportSkip('only Linux limits the memory and time of a process')
    const started = await start()
    await once(started, 'message')
    const limits = readFileSync(`/proc/${started.pid}/limits`, 'utf8')
    started.kill('SIGKILL')
    assert.ok(started.spawnargs.includes('--max-old-space-size=256'))
    const [, bytes] = /Max data size +(\d+) /.exec(limits) ?? []
    assert.is(Number(bytes), memoryMiB << 20)
    // The soft limit comes first: its SIGXCPU differs from a kill from outside.
    const [, soft, hard] = /Max cpu time +(\d+) +(\d+) /.exec(limits) ?? []
    assert.equal([Number(soft), Number(hard)], [cpuSeconds, cpuSeconds + 1])
  })
}

clips.after(() => {
  if (child !== undefined) killGroup(child.pid ?? 0)
})

clips.run()
