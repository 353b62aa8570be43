import { type Copy, generate, type HealthDetailPayload, validate } from '../../insight/index.js'
import { type TextUse, traceTexts } from '../../insight/trace.js'
import type { Fixture } from '../fixtures.js'
import { once } from '../lint/keep-last.js'
import { variations } from './variations.js'

/** A payload whose texts a reviewer reads. */
export interface Example {
  /** Unique and stable: the name of the fixture, then each change after ` + `. */
  readonly id: string
  readonly scenario: string
  readonly fixture: string
  /** The changes made to the fixture, in words; empty for the fixture itself. */
  readonly changes: readonly string[]
  readonly payload: HealthDetailPayload
}

/**
 * Finds examples that show every branch of every scenario: all valid fixtures, and variations of them that show more. A
 * branch counts once per scenario, so that every sentence is read with each of its parts in each of its forms.
 */
export function findExamples(
  fixtures: readonly Fixture[],
  { copy, readBranches }: { readonly copy: Copy; readonly readBranches: (use: TextUse) => readonly string[] },
  samples = createSamples(),
): readonly Example[] {
  const shown = new Set<string>()
  // Two of three variations make a payload that others made before.
  const settled = new Set<Sample>()
  const accept: Accept = (example, sample, only) => {
    const isFixture = example.changes.length === 0
    if (!isFixture && settled.has(sample)) return []
    settled.add(sample)
    if (!sample.isClean()) return []
    const { features, scenario } = readFeatures(sample.payload, copy, readBranches)
    const fresh = features.filter((feature) => !shown.has(feature))
    if (!isFixture && fresh.length === 0) return []
    if ((only ?? scenario) !== scenario) {
      settled.delete(sample)
      return []
    }
    for (const feature of fresh) shown.add(feature)
    return [{ ...example, payload: sample.payload, scenario }]
  }
  // The usual case of a scenario comes before its variants.
  const examples = [...fixtures]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap(({ name, payload }) => accept({ id: name, fixture: name, changes: [] }, samples.get(payload), undefined))
  // Vary variations too, since some branches need two changes. At first keep the scenario: examples derived from its
  // own fixture read more naturally.
  const vary = (bases: readonly Example[], mayLeave: boolean) => {
    const found = bases.flatMap((base) => varyExample(base, samples, accept, mayLeave ? undefined : base.scenario))
    examples.push(...found)
    return found
  }
  vary(vary([...examples], false), false)
  vary(vary([...examples], true), false)
  return examples
}

/** Returns the example if it is valid and shows something new. `only` is the one scenario that it may have. */
type Accept = (
  example: Omit<Example, 'scenario' | 'payload'>,
  sample: Sample,
  only: string | undefined,
) => readonly Example[]

function varyExample(base: Example, samples: Samples, accept: Accept, only: string | undefined): readonly Example[] {
  return samples.vary(base.payload).flatMap(({ sample, words }) => {
    const changes = [...base.changes, words]
    const id = `${base.fixture} + ${changes.join(' + ')}`
    return accept({ id, fixture: base.fixture, changes }, sample, only)
  })
}

/** A payload; equal ones are one object. */
interface Sample {
  readonly payload: HealthDetailPayload
  isClean(): boolean
}

/** The payloads that searches for examples tried. They do not depend on the texts. */
export interface Samples {
  get(payload: HealthDetailPayload): Sample
  vary(payload: HealthDetailPayload): readonly { readonly words: string; readonly sample: Sample }[]
}

/** Creates samples for several searches: with texts that changed a little, the next one takes a third of the time. */
export function createSamples(): Samples {
  const known = new Map<string, Sample>()
  const varied = new Map<Sample, ReturnType<Samples['vary']>>()
  const get: Samples['get'] = (payload) => {
    const text = JSON.stringify(payload)
    const found = known.get(text)
    if (found !== undefined) return found
    const sample = { payload, isClean: once(() => isClean(payload)) }
    known.set(text, sample)
    return sample
  }
  return {
    get,
    vary: (payload) => {
      const base = get(payload)
      const page = describePage(payload)
      const found =
        varied.get(base) ??
        variations
          .filter(({ pages }) => pages.test(page))
          .map(({ change, words }) => ({ words, sample: get(change(payload)) }))
      varied.set(base, found)
      return found
    },
  }
}

/** Returns the string that `Variation.pages` is matched against. */
const describePage = ({ insightContext, metric, viewWindow }: HealthDetailPayload) =>
  `${metric} ${viewWindow} ${insightContext.mode}`

function isClean(payload: HealthDetailPayload): boolean {
  const { errors, warnings } = validate(payload)
  return errors.length === 0 && warnings.every(({ rule }) => shownRules.includes(rule))
}

/** Rules that warn of what happens: every page of today between midnight and its first report, and a cat that barks. */
export const shownRules = ['context-observed-before-today', 'envelope-bark-species']

/** Lists the features of a scenario that a text shows: branches, arguments with and without a value, status, advice. */
export function readFeatures(
  payload: HealthDetailPayload,
  copy: Copy,
  readBranches: (use: TextUse) => readonly string[],
): { readonly scenario: string; readonly features: readonly string[] } {
  const { result, uses } = traceTexts(copy, (traced) => generate(payload, { copy: traced, locale: 'en-US' }))
  const { scenario, status } = result
  const sentence = uses.find(({ id }) => id === scenario)
  const parts = Object.entries(sentence?.values ?? {}).map(
    ([argument, value]) => `${argument} ${value === '' ? 'left out' : 'there'}`,
  )
  const advice = uses.some(({ id }) => id.startsWith('ADVICE_')) ? 'advice' : 'no advice'
  const features = [...uses.flatMap(readBranches), ...parts, `${status}, ${advice}`]
  return { scenario, features: features.map((feature) => `${scenario}: ${feature}`) }
}

/** Rebuilds the payload of an example from its ID. Undefined if the fixture or a change no longer exists. */
export function findExample(id: string, fixtures: readonly Fixture[]): HealthDetailPayload | undefined {
  const [fixture, ...changes] = id.split(' + ')
  let payload = fixtures.find(({ name }) => name === fixture)?.payload
  for (const words of changes) {
    if (payload === undefined) return undefined
    const page = describePage(payload)
    payload = variations.find((variation) => variation.words === words && variation.pages.test(page))?.change(payload)
  }
  return payload !== undefined && isClean(payload) ? payload : undefined
}
