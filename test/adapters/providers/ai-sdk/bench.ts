import type { Test } from 'uvu'
import * as assert from 'uvu/assert'
import { type AiSdkParts, createAiSdkProvider } from '../../../../src/adapters/providers/ai-sdk/provider.js'
import type { ModelSettings } from '../../../../src/models/settings.js'
import type {
  Clip,
  Picture,
  Provider,
  ProviderCall,
  ProviderError,
  ProviderImage,
} from '../../../../src/ports/provider.js'
import { buildCall, buildClipRequest, buildPictureRequest, makePhoto } from '../../../helpers/provider-calls.js'
import { buildSettings, findCase, startUpstream, type Upstream } from '../../../helpers/upstreams/index.js'
import { testTimeouts } from './timeouts.js'

/** A model at a double of its vendor, the memo of one unit, and the results of its attempts. */
export interface Bench {
  readonly upstream: Upstream
  readonly provider: Provider
  /** Entries of the log. */
  readonly entries: unknown[]
  /** All saved memos, oldest first. */
  readonly memos: unknown[]
  /** Runs an attempt of the unit with the latest memo. */
  attempt(changes?: Partial<ProviderCall>): Promise<Picture | Clip>
  /** Runs an attempt and returns its error. */
  fail(changes?: Partial<ProviderCall>): Promise<ProviderError>
  /** Runs an attempt that is interrupted after the order is accepted. */
  order(): Promise<void>
}

interface BenchOptions extends Partial<Omit<AiSdkParts, 'timeouts'>> {
  readonly settings?: Partial<ModelSettings>
  /** Those that differ from the usual ones. */
  readonly timeouts?: Partial<AiSdkParts['timeouts']>
}

let photo: Promise<ProviderImage> | undefined

/** Opens the bench of a case, such as `fal video`, and closes it after its use. */
export async function withBench(
  name: string,
  use: (bench: Bench) => unknown,
  { settings, timeouts, ...parts }: BenchOptions = {},
): Promise<void> {
  const one = findCase(name)
  const upstream = await startUpstream(one.double)
  const entries: unknown[] = []
  const memos: unknown[] = []
  const provider = await createAiSdkProvider(buildSettings(one, upstream, settings), {
    log: { write: (entry: unknown) => void entries.push(entry) },
    timeouts: { ...testTimeouts, ...timeouts },
    ...parts,
  })
  photo ??= makePhoto()
  const pet = await photo
  const saveMemo = async (memo: unknown) => void memos.push(JSON.parse(JSON.stringify(memo)))
  const attempt: Bench['attempt'] = (changes = {}) => {
    const call = buildCall({ memo: memos.at(-1) ?? null, saveMemo, ...changes })
    return one.settings.kind === 'image'
      ? provider.generatePicture(buildPictureRequest(pet), call)
      : provider.generateClip(buildClipRequest(pet), call)
  }
  const fail: Bench['fail'] = (changes) =>
    attempt(changes).then(
      () => Promise.reject(new Error('the attempt succeeded')),
      (error) => error,
    )
  async function order(): Promise<void> {
    const controller = new AbortController()
    const held = upstream.hold('poll')
    const cut = fail({ signal: controller.signal })
    const { release } = await held
    controller.abort('released')
    release()
    assert.is(await cut, 'released')
  }
  try {
    await use({ upstream, provider, entries, memos, attempt, fail, order })
  } finally {
    await provider.close()
    await upstream.close()
  }
}

/** Returns a function that adds a test with the bench of a case to the suite. */
export const addTo =
  (tests: Test) => (name: string, options: BenchOptions, title: string, use: (bench: Bench) => unknown) =>
    tests(title, () => withBench(name, use, options))
