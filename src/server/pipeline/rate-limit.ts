import { SvcError } from '../../errors.js'
import type { ApiKey } from '../../ports/keys.js'
import type { RateStore } from '../../ports/store.js'

/** Calls of a large limit are granted in blocks, sized so that a key asks the database about 100 times a second. */
const blocksPerWindow = 6000
/** A block is used within this time or returned. */
const blockLifeMs = 100
/** A call counts for 60 seconds, from the end of its block and of the tenth of a second under which it is stored. */
const windowMsAtMost = 60_000 + blockLifeMs + 100

/**
 * Counts a call of the key and returns the headers for the caller, and the refusal if the limit is exceeded. Returns without
 * a promise if this process holds granted calls of the key.
 */
export type CountCall = (key: ApiKey, now: number) => RateCount | Promise<RateCount>

export interface RateCount {
  readonly headers?: ReturnType<typeof describe>
  readonly refusal?: { readonly error: SvcError; readonly retryAfter: string }
}

/** The calls of a key's limit that this process holds. */
interface Block {
  left: number
  usedBy: number
  counted: number
  oldestLeavesAt: number
  asking: Promise<void> | undefined
}

/**
 * Limits the accepted calls of a key in any 60 seconds, over all processes on one data directory.
 * @NOTE contract: the numbers are not shown. A sliding window, since a token bucket or a fixed window allows more calls.
 */
export function createCountCall(store: RateStore): CountCall {
  const blocks = new Map<string, Block>()

  async function ask(key: ApiKey, block: Block, now: number): Promise<void> {
    const wanted = Math.ceil(key.rateLimit / blocksPerWindow)
    const usedBy = wanted > 1 ? now + blockLifeMs : now
    const unused = { calls: block.left, usedBy: block.usedBy }
    block.left = 0
    const grant = await store.grantCalls({ keyId: key.id, limit: key.rateLimit, wanted, usedBy, now, unused })
    block.left = grant.granted
    block.usedBy = usedBy
    block.counted = grant.counted
    block.oldestLeavesAt = grant.oldestLeavesAt
  }

  async function askUntilAnswered(key: ApiKey, block: Block, now: number): Promise<RateCount> {
    while (block.left === 0 || now > block.usedBy) {
      if (isExhausted(key, block, now)) return refuse(key, block, now)
      // Concurrent calls await the same query and check again.
      block.asking ??= ask(key, block, now).finally(() => {
        block.asking = undefined
      })
      await block.asking
      if (block.left === 0 && block.counted >= key.rateLimit) return refuse(key, block, now)
    }
    return use(key, block, now)
  }

  return (key, now) => {
    if (key.rateLimit === 0) return {}
    let block = blocks.get(key.id)
    if (block === undefined) {
      block = { left: 0, usedBy: 0, counted: 0, oldestLeavesAt: 0, asking: undefined }
      blocks.set(key.id, block)
    }
    return block.left > 0 && now <= block.usedBy ? use(key, block, now) : askUntilAnswered(key, block, now)
  }
}

function use(key: ApiKey, block: Block, now: number): RateCount {
  block.left -= 1
  return { headers: describe(key, block, now) }
}

/** True if the last grant left nothing, and no call has left the window since. */
function isExhausted(key: ApiKey, block: Block, now: number): boolean {
  // A call leaves the window within this time. If it seems to take longer, the clock was set back.
  const leavesInMs = block.oldestLeavesAt - now
  return block.left === 0 && block.counted >= key.rateLimit && leavesInMs > 0 && leavesInMs <= windowMsAtMost
}

function describe(key: ApiKey, block: Block, now: number) {
  return {
    'x-ratelimit-limit': String(key.rateLimit),
    'x-ratelimit-remaining': String(Math.max(0, key.rateLimit - block.counted + block.left)),
    /** Whole seconds until the oldest counted call leaves the window. */
    'x-ratelimit-reset': String(secondsUntil(block.oldestLeavesAt, now)),
  }
}

function refuse(key: ApiKey, block: Block, now: number): RateCount {
  const retryAfter = String(secondsUntil(block.oldestLeavesAt, now))
  const message = `The key's limit of ${key.rateLimit} calls a minute is reached. Try again in ${retryAfter} s.`
  const refusal = { error: new SvcError('rate_limit_exceeded', message), retryAfter }
  return { headers: describe(key, block, now), refusal }
}

/** At most a minute: callers need not know that a call counts slightly longer. */
function secondsUntil(time: number, now: number): number {
  return Math.min(60, Math.max(1, Math.ceil((time - now) / 1000)))
}
