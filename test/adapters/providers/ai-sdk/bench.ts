import { type AiSdkParts, createAiSdkProvider } from '../../../../src/adapters/providers/ai-sdk/provider.js'
import type { ModelSettings } from '../../../../src/models/settings.js'
import type { Clip, Picture, ProviderCall, ProviderError, ProviderImage } from '../../../../src/ports/provider.js'
import { buildCall, buildClipRequest, buildPictureRequest, makePhoto } from '../../../helpers/provider-calls.js'
import { buildSettings, type ModelCase, startUpstream, type Upstream } from '../../../helpers/upstreams/index.js'
import { testTimeouts } from './timeouts.js'

/** A model at a double of its vendor, the memo of one unit, and the results of its attempts. */
export interface Bench {
  readonly upstream: Upstream
  /** Entries of the log. */
  readonly entries: unknown[]
  /** All saved memos, oldest first. */
  readonly memos: unknown[]
  /** Runs an attempt of the unit with the latest memo. */
  attempt(changes?: Partial<ProviderCall>): Promise<Picture | Clip>
  /** Runs an attempt and returns its error. */
  fail(changes?: Partial<ProviderCall>): Promise<ProviderError>
  close(): Promise<void>
}

let photo: Promise<ProviderImage> | undefined

export async function openBench(
  one: ModelCase,
  { settings, parts }: { settings?: Partial<ModelSettings>; parts?: Partial<AiSdkParts> } = {},
): Promise<Bench> {
  const upstream = await startUpstream(one.double)
  const entries: unknown[] = []
  const memos: unknown[] = []
  const log = { write: (entry: unknown) => void entries.push(entry) }
  const provider = await createAiSdkProvider(buildSettings(one, upstream, settings), {
    log,
    timeouts: testTimeouts,
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
  return {
    upstream,
    entries,
    memos,
    attempt,
    fail: (changes) =>
      attempt(changes).then(
        () => Promise.reject(new Error('the attempt succeeded')),
        (error) => error,
      ),
    async close() {
      await provider.close()
      await upstream.close()
    },
  }
}
