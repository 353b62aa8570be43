import type { Routes } from '../../contract/index.js'
import type { Body, ReplyBody } from '../../contract/route.js'
import { SvcError } from '../../errors.js'
import { clockIsReal, type ServiceClock, setClock } from '../../ports/clock.js'
import { isInRange, timeRange } from '../../text/time.js'
import type { Handlers } from '../pipeline/handler.js'
import { toTimestamp } from '../present/timestamp.js'

/** `isTest` is false in production, where the clock is the real time. */
export function createClockHandlers(clock: ServiceClock, isTest: boolean) {
  function requireTest(): void {
    if (!isTest) throw new SvcError('forbidden', clockIsReal)
  }

  function present(): ReplyBody<Routes['getClock']> {
    const [now, offsetMs] = [clock.now(), clock.clockOffsetMs()]
    return { now: toTimestamp(now), real_time: toTimestamp(now - offsetMs), offset_seconds: offsetMs / 1000 }
  }

  async function move(body: Body<Routes['moveClock']>): Promise<void> {
    const { advance_seconds: seconds, time, reset } = body
    if ([seconds, time, reset].filter((member) => member !== undefined).length !== 1) {
      throw new SvcError('invalid_request', 'The body must have exactly one of `advance_seconds`, `time` and `reset`.')
    }
    if (reset) return clock.moveClock(() => 0)
    if (time !== undefined) return setClock(clock, requireInRange('time', Date.parse(time)))
    const aheadMs = (seconds ?? 0) * 1000
    requireInRange('advance_seconds', clock.now() + aheadMs)
    return clock.moveClock((offsetMs) => offsetMs + aheadMs)
  }

  return {
    getClock() {
      requireTest()
      return { body: present() }
    },
    async moveClock({ body }) {
      requireTest()
      await move(body)
      return { body: present() }
    },
  } satisfies Partial<Handlers>
}

function requireInRange(member: string, time: number): number {
  if (isInRange(time)) return time
  throw new SvcError('invalid_request', `\`${member}\` must lead to a time ${timeRange}.`)
}
