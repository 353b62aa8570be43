// run: waits
import { setTimeout as delay } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Timeouts } from '../../../../src/adapters/providers/ai-sdk/timeouts.js'
import { SvcError } from '../../../../src/errors.js'
import { ProviderError } from '../../../../src/ports/provider.js'
import { clipCases, type ModelCase, pictureCases } from '../../../helpers/upstreams/index.js'
import type { Step, Upstream, UpstreamFailure } from '../../../helpers/upstreams/upstream.js'
import { type Bench, openBench } from './bench.js'
import { testTimeouts } from './timeouts.js'

const faults = suite('models that fail')
const cases = [...pictureCases, ...clipCases]
const orderCases = cases.filter(({ isDirect }) => !isDirect)

interface Expected {
  readonly code: string
  readonly wire: string
  readonly retryable: boolean
  readonly retryAfterMs?: number
  /** The words that the log must contain. */
  readonly words?: RegExp
}

async function withBench(
  one: ModelCase,
  use: (bench: Bench) => Promise<void>,
  timeouts?: Partial<Timeouts>,
): Promise<void> {
  const bench = await openBench(one, { parts: { timeouts: { ...testTimeouts, ...timeouts } } })
  try {
    await use(bench)
  } finally {
    await bench.close()
  }
}

function check({ upstream, memos, entries }: Bench, error: ProviderError, expected: Expected): void {
  assert.instance(error, ProviderError, String(error))
  const { code, wire, retryable, retryAfterMs, message, purchase } = error
  const { words, ...fields } = expected
  assert.equal({ code, wire, retryable, retryAfterMs }, { retryAfterMs: undefined, ...fields }, message)
  if (words) assert.match(message, words)
  assert.match(message, /^[A-Z].*\.$/)
  const costs = wire === 'ambiguous' || wire === 'ordered'
  assert.equal(purchase, costs ? { quantity: 1, costMicros: 40_000 } : undefined)
  // A memo is left only if something may have been bought.
  assert.is(memos.at(-1) === null, !costs)
  const written = `${message} ${error.stack} ${String(error.cause)} ${JSON.stringify([memos, entries])}`
  for (const secret of [upstream.key, '://127', 'Signature', 'sitting dog'])
    assert.not.ok(written.includes(secret), written)
}

const soon = (upstream: Upstream, status: number, headers: Record<string, string>): UpstreamFailure => ({
  ...upstream.error(status, 'RESOURCE_EXHAUSTED', 'Slow down: see https://vendor.test/limits?key=abc.'),
  headers,
})

const silence = 'does not respond'
const whenBuying: readonly (readonly [string, (upstream: Upstream) => UpstreamFailure, Expected])[] = [
  [
    'limits the rate for seven seconds',
    (upstream) => soon(upstream, 429, { 'retry-after': '7' }),
    {
      code: 'rate_limited',
      wire: 'rate_limited',
      retryable: true,
      retryAfterMs: 7000,
      words: /Slow down: see \[URL\]/,
    },
  ],
  [
    'limits the rate until a date in the past',
    (upstream) => soon(upstream, 429, { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }),
    { code: 'rate_limited', wire: 'rate_limited', retryable: true, retryAfterMs: 0 },
  ],
  [
    'rejects the key',
    (upstream) => upstream.error(401, 'UNAUTHENTICATED', `Incorrect API key provided: ${upstream.key}.`),
    { code: 'provider_unauthorized', wire: 'refused', retryable: false },
  ],
  [
    'has closed the account of the key',
    (upstream) => upstream.error(403, 'PERMISSION_DENIED', 'The API key was reported as leaked.'),
    { code: 'provider_unauthorized', wire: 'refused', retryable: false },
  ],
  [
    'does not allow the account to use the model',
    (upstream) =>
      upstream.error(
        403,
        'PERMISSION_DENIED',
        'Your organization must be verified to use the model `gpt-image-2.6-flare`.',
      ),
    { code: 'provider_error', wire: 'refused', retryable: false, words: /HTTP 403.*must be verified/ },
  ],
  [
    'does not have the model',
    (upstream) => upstream.error(404, 'NOT_FOUND', 'The model `pet-1` does not exist or you do not have access to it.'),
    { code: 'model_unavailable', wire: 'refused', retryable: false, words: /HTTP 404.*`pet-1` does not exist/ },
  ],
  [
    'has switched off the model',
    (upstream) => upstream.error(400, 'INVALID_ARGUMENT', 'The model `pet-1` has been deprecated.'),
    { code: 'model_unavailable', wire: 'refused', retryable: false, words: /has been deprecated/ },
  ],
  [
    "has nothing at the path of the operator's file",
    () => ({ status: 404, bytes: Buffer.from('<html>Not here</html>') }),
    { code: 'model_unavailable', wire: 'refused', retryable: false, words: /HTTP 404, .*`baseUrl` may be wrong/ },
  ],
  [
    'rejects a field',
    (upstream) => upstream.error(400, 'INVALID_ARGUMENT', 'Unknown size.'),
    { code: 'provider_error', wire: 'refused', retryable: false, words: /HTTP 400.*Unknown size/ },
  ],
  [
    'is unavailable',
    (upstream) => upstream.error(503, 'UNAVAILABLE', 'The model is overloaded.'),
    { code: 'provider_error', wire: 'ambiguous', retryable: true, words: /overloaded/ },
  ],
  [
    'times out at its gateway',
    () => ({ status: 504, bytes: Buffer.from('<html>') }),
    { code: 'timed_out', wire: 'ambiguous', retryable: true },
  ],
  [
    'closes the connection',
    () => 'reset',
    { code: 'provider_error', wire: 'ambiguous', retryable: true, words: /the connection broke/ },
  ],
  ['loses its response', () => 'lost', { code: 'provider_error', wire: 'ambiguous', retryable: true }],
  [silence, () => 'stall', { code: 'timed_out', wire: 'ambiguous', retryable: true }],
  [
    'responds with garbage',
    () => ({ bytes: Buffer.from('<html>Welcome</html>') }),
    { code: 'provider_error', wire: 'ambiguous', retryable: false },
  ],
  [
    'responds with JSON without a result',
    () => ({ json: { hello: 'world' } }),
    { code: 'provider_error', wire: 'ambiguous', retryable: false },
  ],
  [
    'is elsewhere',
    () => ({ status: 307, headers: { location: 'https://elsewhere.test/' }, json: {} }),
    { code: 'provider_error', wire: 'refused', retryable: false },
  ],
]

for (const one of cases) {
  for (const [name, fault, expected] of whenBuying) {
    faults(`${one.name}: ${name}`, () =>
      withBench(
        one,
        async (bench) => {
          bench.upstream.plan('buy', fault(bench.upstream))
          check(bench, await bench.fail(), expected)
          assert.is(bench.upstream.count('buy'), 1)
        },
        name === silence ? { picture: 250, order: 250 } : {},
      ),
    )
  }

  faults(`${one.name}: cannot be reached`, () =>
    withBench(one, async (bench) => {
      await bench.upstream.close()
      check(bench, await bench.fail(), { code: 'provider_error', wire: 'not_sent', retryable: true })
    }),
  )

  faults(`${one.name}: does not buy again after a crash that lost the response`, () =>
    withBench(one, async (bench) => {
      bench.upstream.plan('buy', 'lost')
      await bench.fail()
      check(bench, await bench.fail(), { code: 'provider_error', wire: 'ambiguous', retryable: true })
      assert.is(bench.upstream.count('buy'), 1)
    }),
  )

  faults(`${one.name}: records no purchase for a refusal, even if the database is unavailable at first`, () =>
    withBench(one, async (bench) => {
      let refusals = 2
      const saveMemo = async (memo: unknown) => {
        if (memo === null && refusals-- > 0) throw new SvcError('unavailable', 'The database is locked.')
        bench.memos.push(memo)
      }
      bench.upstream.plan('buy', soon(bench.upstream, 429, { 'retry-after': '7' }))
      const expected = { code: 'rate_limited', wire: 'rate_limited', retryable: true, retryAfterMs: 7000 }
      check(bench, await bench.fail({ saveMemo }), expected)
      await bench.attempt()
    }),
  )

  faults(`${one.name}: stops at once when it is aborted`, () =>
    withBench(one, async (bench) => {
      const controller = new AbortController()
      const held = bench.upstream.hold('buy')
      const made = bench.fail({ signal: controller.signal })
      await held
      const reason = new Error('the lease is lost')
      controller.abort(reason)
      assert.is(await made, reason)
    }),
  )
}

/** The refusals of each vendor. */
const refusals: readonly (readonly [string, Step, (upstream: Upstream) => UpstreamFailure, RegExp])[] = [
  [
    'openai image',
    'buy',
    (upstream) => upstream.error(400, 'moderation_blocked', 'Your request was rejected by the safety system.'),
    /moderation_blocked/,
  ],
  [
    'openai-compatible image',
    'buy',
    (upstream) => upstream.error(400, '400', 'litellm.ContentPolicyViolationError: AzureException'),
    /ContentPolicyViolation/,
  ],
  [
    'google image',
    'buy',
    () => ({
      json: { candidates: [{ content: {}, finishReason: 'IMAGE_SAFETY', finishMessage: 'Unable to show it.' }] },
    }),
    /IMAGE_SAFETY: Unable/,
  ],
  ['google image', 'buy', () => ({ json: { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } } }), /PROHIBITED/],
  [
    'google video',
    'poll',
    () => ({
      json: {
        name: 'models/veo/operations/op1',
        done: true,
        response: {
          generateVideoResponse: {
            raiMediaFilteredCount: 1,
            raiMediaFilteredReasons: ['We blocked it. Support code: 17.'],
          },
        },
      },
    }),
    /Support code: 17/,
  ],
  [
    'google video',
    'poll',
    () => ({
      json: {
        name: 'models/veo/operations/op1',
        done: true,
        error: { code: 3, message: 'Violates our usage guidelines.' },
      },
    }),
    /usage guidelines/,
  ],
  [
    'bytedance image',
    'buy',
    (upstream) => upstream.error(400, 'OutputImageSensitiveContentDetected', 'The output image may be sensitive.'),
    /OutputImageSensitive/,
  ],
  [
    'bytedance video',
    'poll',
    () => ({
      json: {
        id: 'cgt-1',
        status: 'failed',
        error: { code: 'OutputVideoSensitiveContentDetected', message: 'It may contain sensitive information.' },
      },
    }),
    /OutputVideoSensitive/,
  ],
  [
    'fal image',
    'buy',
    (upstream) => upstream.error(422, 'content_policy_violation', 'The content could not be processed.'),
    /content_policy_violation/,
  ],
  [
    'fal video',
    'poll',
    (upstream) => upstream.error(422, 'content_policy_violation', 'The content could not be processed.'),
    /content_policy_violation/,
  ],
  ...['replicate image', 'replicate video'].map(
    (name) =>
      [
        name,
        'poll' as const,
        () => ({
          json: {
            id: 'clip1',
            status: 'failed',
            error: 'The input or output was flagged as sensitive. (E005)',
            output: null,
          },
        }),
        /E005/,
      ] as const,
  ),
]
for (const [name, step, fault, words] of refusals) {
  faults(`${name}: gives the reason of the refusal ${words.source}`, () =>
    withBench(find(name), async (bench) => {
      bench.upstream.plan(step, fault(bench.upstream))
      check(bench, await bench.fail(), { code: 'content_refused', wire: 'refused', retryable: false, words })
    }),
  )
}

faults('fal image: charges for a withheld picture', () =>
  withBench(find('fal image'), async (bench) => {
    const image = { url: `${bench.upstream.url}/files/a.png`, width: 768, height: 768 }
    bench.upstream.plan('buy', { json: { images: [image], has_nsfw_concepts: [true] } })
    check(bench, await bench.fail(), { code: 'content_refused', wire: 'ambiguous', retryable: false })
  }),
)

const passing: readonly (readonly [string, (upstream: Upstream) => UpstreamFailure])[] = [
  ['an error', (upstream) => upstream.error(503, 'UNAVAILABLE', 'Try later.')],
  ['a limit', (upstream) => soon(upstream, 429, { 'retry-after': '0' })],
  ['a cut connection', () => 'reset'],
  ['silence', () => 'stall'],
  ['garbage', () => ({ bytes: Buffer.from('<html>') })],
  ['an order that is not known yet', (upstream) => upstream.error(404, 'NOT_FOUND', 'No such order.')],
]
const statuses: Readonly<Record<string, unknown>> = {
  bytedance: { id: 'cgt-1', status: 'reviewing' },
  replicate: { id: 'x', status: 'thinking' },
  google: { name: 'models/veo/operations/op1', metadata: { state: 'NEW' } },
}

for (const one of orderCases) {
  for (const [name, fault] of passing) {
    faults(`${one.name}: ${name} at the first poll costs nothing`, () =>
      withBench(
        one,
        async (bench) => {
          bench.upstream.plan('poll', fault(bench.upstream))
          await bench.attempt()
          assert.is(bench.upstream.count('buy'), 1)
          assert.is(bench.entries.length, 1)
        },
        name === 'silence' ? { poll: 500 } : {},
      ),
    )
  }

  const strange = statuses[one.settings.provider]
  if (strange !== undefined) {
    faults(`${one.name}: keeps polling at an unknown status`, () =>
      withBench(one, async (bench) => {
        bench.upstream.plan('poll', { json: strange })
        await bench.attempt()
        assert.is(bench.upstream.count('buy'), 1)
      }),
    )
  }

  faults(`${one.name}: gives up an order that the vendor lost`, () =>
    withBench(
      one,
      async (bench) => {
        const lost = bench.upstream.error(404, 'NOT_FOUND', 'No such order.')
        bench.upstream.plan('poll', ...Array.from({ length: 200 }, () => lost))
        check(bench, await bench.fail(), { code: 'provider_error', wire: 'ordered', retryable: false, words: /404/ })
      },
      { unknown: 200 },
    ),
  )

  for (const [name, status, code] of [
    ['a removed key', 401, 'provider_unauthorized'],
    ['a revoked key', 403, 'provider_unauthorized'],
    ['a closed model', 403, 'provider_error'],
  ] as const) {
    faults(`${one.name}: reports ${name}, and finds the order after the correction`, () =>
      withBench(one, async (bench) => {
        const text = name === 'a closed model' ? 'Your organization must be verified.' : 'Key revoked.'
        bench.upstream.plan('poll', bench.upstream.error(status, 'PERMISSION_DENIED', text))
        check(bench, await bench.fail(), { code, wire: 'ordered', retryable: true })
        await bench.attempt()
        assert.is(bench.upstream.count('buy'), 1)
      }),
    )
  }

  faults(`${one.name}: polls in time, even if a longer wait is requested`, () =>
    withBench(
      one,
      async (bench) => {
        bench.upstream.pollsNeeded = 0
        bench.upstream.plan('poll', soon(bench.upstream, 429, { 'retry-after': '1000' }))
        await bench.attempt()
        assert.is(bench.upstream.count('poll'), 2)
        assert.is(bench.upstream.count('buy'), 1)
      },
      { completion: 1000 },
    ),
  )

  for (const [name, fault] of [
    ['an unavailable vendor', (upstream) => upstream.error(503, 'UNAVAILABLE', 'Try later.')],
    ['a broken connection', () => 'reset'],
    ['silence', () => 'stall'],
    ['a rate limit', (upstream) => soon(upstream, 429, { 'retry-after': '7' })],
  ] as readonly (readonly [string, (upstream: Upstream) => UpstreamFailure])[]) {
    faults(`${one.name}: does not give up an order that may be ready because of ${name} after its time`, () =>
      withBench(
        one,
        async (bench) => {
          await order(bench)
          const memo = { ...(bench.memos.at(-1) as object), until: Date.now() - 1000 }
          bench.upstream.plan('poll', fault(bench.upstream))
          const { code, wire, retryable, retryAfterMs } = await bench.fail({ memo })
          const expected = { code: 'provider_error', wire: 'ordered', retryable: true }
          assert.equal(
            { code, wire, retryable, retryAfterMs },
            { ...expected, retryAfterMs: name === 'a rate limit' ? 7000 : undefined },
          )
          bench.upstream.pollsNeeded = 0
          await bench.attempt({ memo })
          assert.is(bench.upstream.count('buy'), 1)
        },
        name === 'silence' ? { poll: 500 } : {},
      ),
    )
  }

  faults(`${one.name}: gives up an order that is never ready in time, also after a restart`, () =>
    withBench(one, async (bench) => {
      bench.upstream.pollsNeeded = 10_000
      const expected = { code: 'timed_out', wire: 'ordered', retryable: false } as const
      check(bench, await bench.fail({ leftMs: 400 }), expected)
      const polls = bench.upstream.count('poll')
      check(bench, await bench.fail(), expected)
      // One poll at once, and one at the end if that had not quite come.
      assert.ok(bench.upstream.count('poll') <= polls + 2, 'a restart must not extend it')
      assert.is(bench.upstream.count('buy'), 1)
    }),
  )

  faults(`${one.name}: fetches an order that completed between polls`, () =>
    withBench(one, async (bench) => {
      bench.upstream.pollsNeeded = 10_000
      const made = bench.attempt()
      while (bench.upstream.count('poll') < 2) await delay(5)
      const memo = { ...(bench.memos.at(-1) as object), until: Date.now() - 1000 }
      await bench.upstream.hold('poll').then(({ release }) => {
        bench.upstream.pollsNeeded = 0
        release()
      })
      await made
      await bench.attempt({ memo })
      assert.is(bench.upstream.count('buy'), 1)
    }),
  )

  faults(`${one.name}: the next attempt continues where the last was interrupted`, () =>
    withBench(one, async (bench) => {
      const controller = new AbortController()
      const held = bench.upstream.hold('poll')
      const cut = bench.fail({ signal: controller.signal })
      await held
      controller.abort('released')
      assert.is(await cut, 'released')
      const { purchase } = await bench.attempt()
      assert.equal(purchase, { quantity: 1, costMicros: 40_000 })
      assert.is(bench.upstream.count('buy'), 1)
    }),
  )
}

const gone: Expected = { code: 'model_unavailable', wire: 'refused', retryable: false }
const endings: readonly (readonly [string, unknown, Expected])[] = [
  ['bytedance video', { id: 'cgt-1', status: 'expired' }, { code: 'timed_out', wire: 'refused', retryable: true }],
  [
    'bytedance video',
    { id: 'cgt-1', status: 'failed', error: { code: 'InternalServiceError', message: 'Try again.' } },
    { code: 'provider_error', wire: 'refused', retryable: true, words: /InternalServiceError/ },
  ],
  ['replicate video', { id: 'clip1', status: 'aborted' }, { code: 'provider_error', wire: 'refused', retryable: true }],
  [
    'replicate video',
    { id: 'clip1', status: 'canceled' },
    { code: 'provider_error', wire: 'ambiguous', retryable: false },
  ],
  [
    'google video',
    { name: 'models/veo/operations/op1', done: true, error: { code: 13, message: 'Internal.' } },
    { code: 'provider_error', wire: 'refused', retryable: true, words: /13: Internal/ },
  ],
  ...[
    ['bytedance video', { id: 'cgt-1', status: 'failed', error: { code: 'ModelNotOpen', message: 'Not active.' } }],
    ['replicate image', { id: 'picture1', status: 'failed', error: 'The model pet-1 has been deprecated.' }],
    ['replicate video', { id: 'clip1', status: 'failed', error: 'Model pet-1 is no longer available.' }],
    [
      'google video',
      { name: 'models/veo/operations/op1', done: true, error: { code: 5, message: 'models/pet-1 is not found.' } },
    ],
  ].map(([name, json]) => [name as string, json, gone] as const),
]
for (const [name, json, expected] of endings) {
  faults(`${name}: ends with ${JSON.stringify(json)}`, () =>
    withBench(find(name), async (bench) => {
      bench.upstream.plan('poll', { json })
      check(bench, await bench.fail(), expected)
    }),
  )
}

faults('fal video: ends as its app has no such path, while the queue knows the request', () =>
  withBench(find('fal video'), async (bench) => {
    bench.upstream.plan('poll', { status: 404, json: { detail: 'Path /pro/image-to-video not found' } })
    check(bench, await bench.fail(), { ...gone, words: /model_not_found: Path/ })
    assert.is(bench.upstream.count('poll'), 1)
  }),
)

faults('bytedance video: ends as the poll says that the model is gone', () =>
  withBench(find('bytedance video'), async (bench) => {
    bench.upstream.plan('poll', bench.upstream.error(404, 'InvalidEndpointOrModel.NotFound', 'It is not here.'))
    check(bench, await bench.fail(), { ...gone, wire: 'ordered' })
    assert.is(bench.upstream.count('poll'), 1)
  }),
)

faults('fal video: a failed runner ends the order, an unavailable queue does not', () =>
  withBench(find('fal video'), async (bench) => {
    const detail = { detail: 'The request exceeded the time limit.', error_type: 'request_timeout' }
    bench.upstream.plan('poll', { status: 504, json: { detail: 'Bad gateway' } }, { status: 504, json: detail })
    check(bench, await bench.fail(), {
      code: 'provider_error',
      wire: 'refused',
      retryable: true,
      words: /request_timeout/,
    })
    assert.is(bench.upstream.count('poll'), 2)
  }),
)

for (const name of ['fal image', 'replicate image', ...clipCases.map((one) => one.name)]) {
  const isOrder = !find(name).isDirect
  faults(`${name}: retries the download of a result`, () =>
    withBench(
      find(name),
      async (bench) => {
        bench.upstream.plan('download', { status: 503, json: {} }, 'reset', 'stall')
        await bench.attempt()
        assert.is(bench.upstream.count('buy'), 1)
        assert.is(bench.upstream.count('download'), 4)
      },
      { download: 500 },
    ),
  )

  faults(`${name}: reports a missing result, does not buy it again, and downloads it when it is back`, () =>
    withBench(find(name), async (bench) => {
      bench.upstream.plan('download', ...Array.from({ length: 4 }, () => ({ status: 503, json: {} })))
      const told = isOrder
        ? { wire: 'ordered' as const, retryable: true }
        : { wire: 'ambiguous' as const, retryable: false }
      check(bench, await bench.fail(), { code: 'provider_error', ...told, words: /could not be downloaded/ })
      if (isOrder) await bench.attempt()
      assert.is(bench.upstream.count('buy'), 1)
    }),
  )

  faults(`${name}: rejects a result of another type`, () =>
    withBench(find(name), async (bench) => {
      bench.upstream.plan('download', { bytes: Buffer.from('<html>Sign in</html>') })
      check(bench, await bench.fail(), {
        code: 'provider_error',
        wire: isOrder ? 'ordered' : 'ambiguous',
        retryable: false,
      })
    }),
  )
}

/** An attempt that is interrupted after the order is accepted. */
async function order(bench: Bench): Promise<void> {
  const controller = new AbortController()
  const held = bench.upstream.hold('poll')
  const cut = bench.fail({ signal: controller.signal })
  const { release } = await held
  controller.abort('released')
  release()
  assert.is(await cut, 'released')
}

function find(name: string): ModelCase {
  const found = cases.find((one) => one.name === name)
  if (found === undefined) throw new Error(`there is no case ${name}`)
  return found
}

faults.run()
