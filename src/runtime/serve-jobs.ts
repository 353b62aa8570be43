/** The messages between a pool and its child processes, and the side of the child. */
import { existsSync, readdirSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'

/** From the pool. */
export interface JobMessage<Request> {
  readonly request: Request
  /** The process ends if the job takes more processor time, in milliseconds. */
  readonly cpuMsAtMost: number | undefined
}

/** From a child process. It sends `ready` once, and then the response to each job. */
export type ChildMessage<Answer> = 'ready' | JobAnswer<Answer>

export interface JobAnswer<Answer> {
  readonly answer: Answer
}

const defaultIdleMs = 60_000
const lookEveryMs = 50

/**
 * Serves the jobs of a pool in this child process, one at a time. An error of `work` ends the process, and so does a rest
 * for the milliseconds of its first argument, or a minute, to free its memory: the pool starts another one when it needs it. The
 * second is its priority.
 */
export function serveJobs<Request, Answer>(work: (request: Request) => Promise<Answer>): void {
  // A terminal and systemd signal the whole group, but the current job is still needed; the pool ends this process.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
  // Decoders and encoders cannot be interrupted: if the parent ends, the process kills itself.
  process.on('disconnect', () => {
    killGroup(process.pid)
    process.kill(process.pid, 'SIGKILL')
  })
  const [idleMs = defaultIdleMs, niceness = 0] = process.argv.slice(2).map(Number)
  if (niceness > 0) beNice(niceness)
  let idle: NodeJS.Timeout | undefined
  const rest = () => {
    // Nothing but the channel keeps the process running.
    idle = setTimeout(() => process.channel?.unref(), idleMs)
  }
  process.on('message', async ({ request, cpuMsAtMost }: JobMessage<Request>) => {
    clearTimeout(idle)
    const stopCounting = limitProcessorTime(cpuMsAtMost ?? Number.POSITIVE_INFINITY)
    // An error ends the process as an unhandled rejection.
    const answer = await work(request)
    stopCounting()
    rest()
    send({ answer })
  })
  send('ready')
  rest()
}

/** Linux sets the priority of one thread, and libraries work in others. Only root may lower the number of a process. */
function beNice(niceness: number): void {
  const threads = existsSync('/proc/self/task') ? readdirSync('/proc/self/task') : [process.pid]
  for (const thread of threads) setPriority(Number(thread), Math.max(getPriority(), niceness))
}

/** If the parent was killed, this process ends soon. */
function send(message: ChildMessage<unknown>): void {
  process.send?.(message, () => {})
}

/**
 * Ends this process if a job takes more processor time than this, as the system does at the limit of the process. The
 * pool's deadline says nothing about the job: on a busy machine, every job takes long.
 */
function limitProcessorTime(ms: number): () => void {
  const before = process.cpuUsage()
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(before)
    // An exit would wait for the decoder.
    if (user + system > ms * 1000) process.kill(process.pid, 'SIGXCPU')
  }, lookEveryMs)
  return () => clearInterval(timer)
}

/** Kills the processes of the group that the process leads, or has led. */
export function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    // It leads no group, as on Windows, or all processes have ended.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
