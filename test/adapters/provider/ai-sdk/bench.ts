import { type AiSdkParts, createAiSdkProvider } from '../../../../src/adapters/provider/ai-sdk/provider.js'
import type { ModelSettings } from '../../../../src/ports/models.js'
import type { Clip, Picture, ProviderCall, ProviderError } from '../../../../src/ports/provider.js'
import { buildCall, buildClipRequest, buildPictureRequest, makePhoto } from '../../../helpers/provider-calls.js'
import { buildSettings, type ModelCase, startUpstream, type Upstream } from '../../../helpers/upstreams/index.js'
import { testClocks } from './clocks.js'

/** A model at its double, the memo of one unit, and what is made of it. */
export interface Bench {
  readonly upstream: Upstream
  /** What the log was told. */
  readonly entries: unknown[]
  /** Every memo that was saved, the first first. */
  readonly memos: unknown[]
  /** One attempt on the unit, which finds the memo that was saved last. */
  attempt(changes?: Partial<ProviderCall>): Promise<Picture | Clip>
  /** The error of one attempt. */
  fail(changes?: Partial<ProviderCall>): Promise<ProviderError>
  close(): Promise<void>
}

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
    clocks: testClocks,
    ...parts,
  })
  const photo = await makePhoto()
  const saveMemo = async (memo: unknown) => void memos.push(JSON.parse(JSON.stringify(memo)))
  const attempt: Bench['attempt'] = (changes = {}) => {
    const call = buildCall({ memo: memos.at(-1) ?? null, saveMemo, ...changes })
    return one.settings.kind === 'image'
      ? provider.generatePicture(buildPictureRequest(photo), call)
      : provider.generateClip(buildClipRequest(photo), call)
  }
  return {
    upstream,
    entries,
    memos,
    attempt,
    fail: (changes) =>
      attempt(changes).then(
        () => Promise.reject(new Error('it was made')),
        (error) => error,
      ),
    async close() {
      await provider.close()
      await upstream.close()
    },
  }
}
