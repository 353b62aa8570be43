// run: waits
import { setTimeout as delay } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { SvcError } from '../../../../src/errors.js'
import { ProviderError } from '../../../../src/ports/provider.js'
import { clipCases, findCase, pictureCases } from '../../../helpers/upstreams/index.js'
import type { Step, Upstream, UpstreamFailure } from '../../../helpers/upstreams/upstream.js'
import { addTo, type Bench, withBench } from './bench.js'

const faults = suite('models that fail')
const add = addTo(faults)
const cases = [...pictureCases, ...clipCases]
const orders = cases.filter(({ isDirect }) => !isDirect)

interface Expected {
  readonly code: string
  readonly wire: string
  readonly retryable: boolean
  readonly retryAfterMs?: number
  /** The words that the log must contain. */
  readonly words?: RegExp
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

/** Makes the failure of a request at a vendor. */
type Fault = (upstream: Pick<Upstream, 'error' | 'key'>) => UpstreamFailure

const limit =
  (retryAfter: string): Fault =>
  ({ error }) => ({
    ...error(429, 'RESOURCE_EXHAUSTED', 'Slow down: see https://vendor.test/limits?key=abc.'),
    headers: { 'retry-after': retryAfter },
  })
const unavailable: Fault = ({ error }) => error(503, 'UNAVAILABLE', 'The model is overloaded. Try later.')
const unknownOrder: Fault = ({ error }) => error(404, 'NOT_FOUND', 'No such order.')

const limited = { code: 'rate_limited', wire: 'rate_limited', retryable: true }
const refused = { code: 'provider_error', wire: 'refused', retryable: false }
const badKey = { ...refused, code: 'provider_unauthorized' }
const gone = { ...refused, code: 'model_unavailable' }
const unclear = { code: 'provider_error', wire: 'ambiguous', retryable: true }
const unusable = { ...unclear, retryable: false }
const late = { ...unclear, code: 'timed_out' }
const kept = { code: 'provider_error', wire: 'ordered', retryable: true }
const lost = { ...kept, retryable: false }
const silence = 'does not respond'

const whenBuying: readonly (readonly [string, Fault, Expected])[] = [
  ['limits the rate for seconds', limit('7'), { ...limited, retryAfterMs: 7000, words: /Slow down: see \[URL\]/ }],
  ['limits the rate until a past date', limit('Wed, 21 Oct 2015 07:28:00 GMT'), { ...limited, retryAfterMs: 0 }],
  ['rejects the key', ({ error, key }) => error(401, 'UNAUTHENTICATED', `Incorrect API key provided: ${key}.`), badKey],
  ['has closed the account', ({ error }) => error(403, 'DENIED', 'The API key was reported as leaked.'), badKey],
  [
    'does not allow the account to use the model',
    ({ error }) => error(403, 'DENIED', 'Your organization must be verified to use the model `gpt-image-2.6-flare`.'),
    { ...refused, words: /HTTP 403.*must be verified/ },
  ],
  [
    'does not have the model',
    ({ error }) => error(404, 'NOT_FOUND', 'The model `pet-1` does not exist or you do not have access to it.'),
    { ...gone, words: /HTTP 404.*`pet-1` does not exist/ },
  ],
  [
    'has switched off the model',
    ({ error }) => error(400, 'INVALID_ARGUMENT', 'The model `pet-1` has been deprecated.'),
    { ...gone, words: /has been deprecated/ },
  ],
  [
    "has nothing at the path of the operator's file",
    () => ({ status: 404, bytes: Buffer.from('<html>Not here</html>') }),
    { ...gone, words: /HTTP 404, .*`baseUrl` may be wrong/ },
  ],
  [
    'rejects a field',
    ({ error }) => error(400, 'INVALID_ARGUMENT', 'Bad size.'),
    { ...refused, words: /400.*Bad size/ },
  ],
  ['is unavailable', unavailable, { ...unclear, words: /overloaded/ }],
  ['times out at its gateway', () => ({ status: 504, bytes: Buffer.from('<html>') }), late],
  ['closes the connection', () => 'reset', { ...unclear, words: /the connection broke/ }],
  ['loses its response', () => 'lost', unclear],
  [silence, () => 'stall', late],
  ['responds with garbage', () => ({ bytes: Buffer.from('<html>Welcome</html>') }), unusable],
  ['responds with JSON without a result', () => ({ json: { hello: 'world' } }), unusable],
  ['is elsewhere', () => ({ status: 307, headers: { location: 'https://elsewhere.test/' }, json: {} }), refused],
]

for (const { name } of cases) {
  for (const [what, fault, expected] of whenBuying) {
    faults(`${name}: ${what}`, async () => {
      // A busy machine may not have sent the request when a short time is over.
      for (let [count, ms] = [0, 250]; count === 0; ms *= 4) {
        const timeouts = what === silence ? { picture: ms, order: ms } : {}
        const buy = async (bench: Bench) => {
          bench.upstream.plan('buy', fault(bench.upstream))
          check(bench, await bench.fail(), expected)
          count = bench.upstream.count('buy')
          assert.ok(count === 1 || (what === silence && count === 0 && ms < 20_000), `${count} requests`)
        }
        await withBench(name, buy, { timeouts })
      }
    })
  }

  add(name, {}, `${name}: cannot be reached`, async (bench) => {
    await bench.upstream.close()
    check(bench, await bench.fail(), { ...unclear, wire: 'not_sent' })
  })

  add(name, {}, `${name}: does not buy again after a crash that lost the response`, async (bench) => {
    bench.upstream.plan('buy', 'lost')
    await bench.fail()
    check(bench, await bench.fail(), unclear)
    assert.is(bench.upstream.count('buy'), 1)
  })

  add(name, {}, `${name}: records no purchase for a refusal, also if the database fails at first`, async (bench) => {
    let refusals = 2
    const saveMemo = async (memo: unknown) => {
      if (memo === null && refusals-- > 0) throw new SvcError('unavailable', 'The database is locked.')
      bench.memos.push(memo)
    }
    bench.upstream.plan('buy', limit('7')(bench.upstream))
    check(bench, await bench.fail({ saveMemo }), { ...limited, retryAfterMs: 7000 })
    await bench.attempt()
  })

  add(name, {}, `${name}: stops at once when it is aborted`, async (bench) => {
    const controller = new AbortController()
    const held = bench.upstream.hold('buy')
    const made = bench.fail({ signal: controller.signal })
    await held
    const reason = new Error('the lease is lost')
    controller.abort(reason)
    assert.is(await made, reason)
  })
}

const json =
  (answer: unknown): Fault =>
  () => ({ json: answer })
const operation = (rest: object) => json({ name: 'models/veo/operations/op1', done: true, ...rest })
const task = (code: string, message: string) => json({ id: 'cgt-1', status: 'failed', error: { code, message } })
const prediction = (error: string) => json({ id: 'clip1', status: 'failed', error, output: null })
const withheld: Fault = ({ error }) => error(422, 'content_policy_violation', 'The content could not be processed.')
const filtered = { raiMediaFilteredCount: 1, raiMediaFilteredReasons: ['We blocked it. Support code: 17.'] }

/** The refusals of each vendor. */
const refusals: readonly (readonly [string, Step, Fault, RegExp])[] = [
  ['openai image', 'buy', ({ error }) => error(400, 'moderation_blocked', 'It was rejected.'), /moderation_blocked/],
  [
    'openai-compatible image',
    'buy',
    ({ error }) => error(400, '400', 'litellm.ContentPolicyViolationError: AzureException'),
    /ContentPolicyViolation/,
  ],
  [
    'google image',
    'buy',
    json({ candidates: [{ content: {}, finishReason: 'IMAGE_SAFETY', finishMessage: 'Unable to show it.' }] }),
    /IMAGE_SAFETY: Unable/,
  ],
  ['google image', 'buy', json({ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } }), /PROHIBITED/],
  ['google video', 'poll', operation({ response: { generateVideoResponse: filtered } }), /Support code: 17/],
  ['google video', 'poll', operation({ error: { code: 3, message: 'Violates our usage guidelines.' } }), /guidelines/],
  [
    'bytedance image',
    'buy',
    ({ error }) => error(400, 'OutputImageSensitiveContentDetected', 'The output image may be sensitive.'),
    /OutputImageSensitive/,
  ],
  ['bytedance video', 'poll', task('OutputVideoSensitiveContentDetected', 'Sensitive.'), /OutputVideoSensitive/],
  ['fal image', 'buy', withheld, /content_policy_violation/],
  ['fal video', 'poll', withheld, /content_policy_violation/],
  ['replicate image', 'poll', prediction('The input or output was flagged as sensitive. (E005)'), /E005/],
  ['replicate video', 'poll', prediction('The input or output was flagged as sensitive. (E005)'), /E005/],
]
for (const [name, step, fault, words] of refusals) {
  add(name, {}, `${name}: gives the reason of the refusal ${words.source}`, async (bench) => {
    bench.upstream.plan(step, fault(bench.upstream))
    check(bench, await bench.fail(), { ...refused, code: 'content_refused', words })
  })
}

add('fal image', {}, 'fal image: charges for a withheld picture', async (bench) => {
  const image = { url: `${bench.upstream.url}/files/a.png`, width: 768, height: 768 }
  bench.upstream.plan('buy', { json: { images: [image], has_nsfw_concepts: [true] } })
  check(bench, await bench.fail(), { ...unusable, code: 'content_refused' })
})

const passing: readonly (readonly [string, Fault])[] = [
  ['an error', unavailable],
  ['a limit', limit('0')],
  ['a cut connection', () => 'reset'],
  ['silence', () => 'stall'],
  ['garbage', () => ({ bytes: Buffer.from('<html>') })],
  ['an order that is not known yet', unknownOrder],
]
const statuses: Readonly<Record<string, unknown>> = {
  bytedance: { id: 'cgt-1', status: 'reviewing' },
  replicate: { id: 'x', status: 'thinking' },
  google: { name: 'models/veo/operations/op1', metadata: { state: 'NEW' } },
}

/** A short limit for a poll that is not answered. */
const limitPoll = (what: string) => ({ timeouts: what === 'silence' ? { poll: 500 } : {} })

for (const { name, settings } of orders) {
  const strange = statuses[settings.provider]
  const answers = strange === undefined ? passing : [...passing, ['an unknown status', json(strange)] as const]
  for (const [what, fault] of answers) {
    add(name, limitPoll(what), `${name}: ${what} at the first poll costs nothing`, async (bench) => {
      bench.upstream.plan('poll', fault(bench.upstream))
      await bench.attempt()
      assert.is(bench.upstream.count('buy'), 1)
      assert.is(bench.entries.length, what === 'an unknown status' ? 0 : 1)
    })
  }

  add(name, { timeouts: { unknown: 200 } }, `${name}: gives up an order that the vendor lost`, async (bench) => {
    bench.upstream.plan('poll', ...Array.from({ length: 200 }, () => unknownOrder(bench.upstream)))
    check(bench, await bench.fail(), { ...lost, words: /404/ })
  })

  for (const [what, status, text, code] of [
    ['a removed key', 401, 'Key revoked.', 'provider_unauthorized'],
    ['a revoked key', 403, 'Key revoked.', 'provider_unauthorized'],
    ['a closed model', 403, 'Your organization must be verified.', 'provider_error'],
  ] as const) {
    add(name, {}, `${name}: reports ${what}, and finds the order after the correction`, async (bench) => {
      bench.upstream.plan('poll', bench.upstream.error(status, 'PERMISSION_DENIED', text))
      check(bench, await bench.fail(), { ...kept, code })
      await bench.attempt()
      assert.is(bench.upstream.count('buy'), 1)
    })
  }

  add(name, { timeouts: { completion: 1000 } }, `${name}: polls in time, for any requested wait`, async (bench) => {
    bench.upstream.pollsNeeded = 0
    bench.upstream.plan('poll', limit('1000')(bench.upstream))
    await bench.attempt()
    assert.equal([bench.upstream.count('poll'), bench.upstream.count('buy')], [2, 1])
  })

  for (const [what, fault, retryAfterMs] of [
    ['an unavailable vendor', unavailable, undefined],
    ['a broken connection', () => 'reset', undefined],
    ['silence', () => 'stall', undefined],
    ['a rate limit', limit('7'), 7000],
  ] as readonly (readonly [string, Fault, number | undefined])[]) {
    add(name, limitPoll(what), `${name}: keeps a late order that may be ready despite ${what}`, async (bench) => {
      await bench.order()
      const memo = { ...(bench.memos.at(-1) as object), until: Date.now() - 1000 }
      bench.upstream.plan('poll', fault(bench.upstream))
      const { code, wire, retryable, retryAfterMs: found } = await bench.fail({ memo })
      assert.equal({ code, wire, retryable, retryAfterMs: found }, { ...kept, retryAfterMs })
      bench.upstream.pollsNeeded = 0
      await bench.attempt({ memo })
      assert.is(bench.upstream.count('buy'), 1)
    })
  }

  add(name, {}, `${name}: gives up an order that is never ready in time, also after a restart`, async (bench) => {
    bench.upstream.pollsNeeded = 10_000
    check(bench, await bench.fail({ leftMs: 400 }), { ...lost, code: 'timed_out' })
    const polls = bench.upstream.count('poll')
    check(bench, await bench.fail(), { ...lost, code: 'timed_out' })
    // One poll at once, and one at the end if that had not quite come.
    assert.ok(bench.upstream.count('poll') <= polls + 2, 'a restart must not extend it')
    assert.is(bench.upstream.count('buy'), 1)
  })

  add(name, {}, `${name}: fetches an order that completed between polls`, async (bench) => {
    bench.upstream.pollsNeeded = 10_000
    const made = bench.attempt()
    while (bench.upstream.count('poll') < 2) await delay(5)
    const memo = { ...(bench.memos.at(-1) as object), until: Date.now() - 1000 }
    const { release } = await bench.upstream.hold('poll')
    bench.upstream.pollsNeeded = 0
    release()
    await made
    await bench.attempt({ memo })
    assert.is(bench.upstream.count('buy'), 1)
  })
}

const failed = { ...refused, retryable: true }
const endings: readonly (readonly [string, Fault, Expected])[] = [
  ['bytedance video', json({ id: 'cgt-1', status: 'expired' }), { ...failed, code: 'timed_out' }],
  ['bytedance video', task('InternalServiceError', 'Try again.'), { ...failed, words: /InternalServiceError/ }],
  ['bytedance video', task('ModelNotOpen', 'Not active.'), gone],
  ['replicate video', json({ id: 'clip1', status: 'aborted' }), failed],
  ['replicate video', json({ id: 'clip1', status: 'canceled' }), unusable],
  ['replicate image', prediction('The model pet-1 has been deprecated.'), gone],
  ['replicate video', prediction('Model pet-1 is no longer available.'), gone],
  ['google video', operation({ error: { code: 13, message: 'Internal.' } }), { ...failed, words: /13: Internal/ }],
  ['google video', operation({ error: { code: 5, message: 'models/pet-1 is not found.' } }), gone],
  // The app of fal has no such path, while its queue knows the request.
  [
    'fal video',
    () => ({ status: 404, json: { detail: 'Path /pro/image-to-video not found' } }),
    { ...gone, words: /model_not_found: Path/ },
  ],
  ['bytedance video', ({ error }) => error(404, 'InvalidEndpointOrModel.NotFound', ''), { ...gone, wire: 'ordered' }],
]
for (const [place, [name, fault, expected]] of endings.entries()) {
  add(name, {}, `${name}: ends by the answer ${place + 1} to its first poll, as ${expected.code}`, async (bench) => {
    bench.upstream.plan('poll', fault(bench.upstream))
    check(bench, await bench.fail(), expected)
    assert.is(bench.upstream.count('poll'), 1)
  })
}

add('fal video', {}, 'fal video: a failed runner ends the order, an unavailable queue does not', async (bench) => {
  const detail = { detail: 'The request exceeded the time limit.', error_type: 'request_timeout' }
  bench.upstream.plan('poll', { status: 504, json: { detail: 'Bad gateway' } }, { status: 504, json: detail })
  check(bench, await bench.fail(), { ...failed, words: /request_timeout/ })
  assert.is(bench.upstream.count('poll'), 2)
})

for (const name of ['fal image', 'replicate image', ...clipCases.map((one) => one.name)]) {
  const isOrder = !findCase(name).isDirect
  add(name, { timeouts: { download: 500 } }, `${name}: retries the download of a result`, async (bench) => {
    bench.upstream.plan('download', { status: 503, json: {} }, 'reset', 'stall')
    await bench.attempt()
    assert.equal([bench.upstream.count('buy'), bench.upstream.count('download')], [1, 4])
  })

  add(name, {}, `${name}: reports a missing result, buys it once, and downloads it when it is back`, async (bench) => {
    bench.upstream.plan('download', ...Array.from({ length: 4 }, () => ({ status: 503, json: {} })))
    check(bench, await bench.fail(), { ...(isOrder ? kept : unusable), words: /could not be downloaded/ })
    if (isOrder) await bench.attempt()
    assert.is(bench.upstream.count('buy'), 1)
  })

  add(name, {}, `${name}: rejects a result of another type`, async (bench) => {
    bench.upstream.plan('download', { bytes: Buffer.from('<html>Sign in</html>') })
    check(bench, await bench.fail(), isOrder ? lost : unusable)
  })
}

faults.run()
