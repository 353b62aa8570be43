import { type Copy, generate, type HealthDetailPayload, validate } from '../insight/index.js'
import { type TextUse, traceTexts } from '../insight/trace.js'
import { variations } from './variations.js'

/** A payload with a name, such as a fixture. */
export interface NamedPayload {
  readonly name: string
  readonly payload: HealthDetailPayload
}

/** A payload whose texts a reviewer reads. */
export interface Example {
  /** Unique, and the same from one page to the next: the fixture's name, and behind ` + ` what was changed. */
  readonly id: string
  readonly scenario: string
  readonly fixture: string
  /** What was changed in the fixture, in words; empty: the fixture itself. */
  readonly changes: readonly string[]
  readonly payload: HealthDetailPayload
}

/**
 * The examples that show every branch of every scenario: all fixtures, and what changes of them show beyond that.
 * A branch is counted once for each scenario, so that every sentence is read with each of its parts in each of its forms.
 * Fixtures that are not valid are left out.
 */
export function findExamples(
  fixtures: readonly NamedPayload[],
  { copy, readBranches }: { readonly copy: Copy; readonly readBranches: (use: TextUse) => readonly string[] },
): readonly Example[] {
  const shown = new Set<string>()
  const accept: Accept = (example, only) => {
    if (!isClean(example.payload)) return []
    const { features, scenario } = readFeatures(example.payload, copy, readBranches)
    const fresh = features.filter((feature) => !shown.has(feature))
    const isFixture = example.changes.length === 0
    if (!isFixture && (fresh.length === 0 || (only ?? scenario) !== scenario)) return []
    for (const feature of fresh) shown.add(feature)
    return [{ ...example, scenario }]
  }
  // The usual case of a scenario comes before its variants.
  const examples = [...fixtures]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap(({ name, payload }) => accept({ id: name, fixture: name, changes: [], payload }))
  // Changes of changes, since some branches need two; at first none that leads to another scenario, since what is derived
  // from a fixture of its own reads as a whole.
  const vary = (bases: readonly Example[], mayLeave: boolean) => {
    const found = bases.flatMap((base) => varyExample(base, accept, mayLeave ? undefined : base.scenario))
    examples.push(...found)
    return found
  }
  vary(vary([...examples], false), false)
  vary(vary([...examples], true), false)
  return examples
}

/** The example, if it is valid and shows something new; `only` names the one scenario that it may be of. */
type Accept = (example: Omit<Example, 'scenario'>, only?: string) => readonly Example[]

function varyExample(base: Example, accept: Accept, only: string | undefined): readonly Example[] {
  const page = describePage(base.payload)
  return variations.flatMap(({ change, pages, words }) => {
    if (!pages.test(page)) return []
    const changes = [...base.changes, words]
    const id = `${base.fixture} + ${changes.join(' + ')}`
    return accept({ id, fixture: base.fixture, changes, payload: change(base.payload) }, only)
  })
}

/** What `Variation.pages` is matched against. */
const describePage = ({ insightContext, metric, viewWindow }: HealthDetailPayload) =>
  `${metric} ${viewWindow} ${insightContext.mode}`

function isClean(payload: HealthDetailPayload): boolean {
  const { errors, warnings } = validate(payload)
  return errors.length === 0 && warnings.length === 0
}

/** What the text of a payload shows of its scenario: branches, arguments that are there or not, status, advice. */
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

/** The payload of the example with an ID, or undefined where the fixtures or the changes give none any more. */
export function findExample(id: string, fixtures: readonly NamedPayload[]): HealthDetailPayload | undefined {
  const [fixture, ...changes] = id.split(' + ')
  let payload = fixtures.find(({ name }) => name === fixture)?.payload
  for (const words of changes) {
    if (payload === undefined) return undefined
    const page = describePage(payload)
    payload = variations.find((variation) => variation.words === words && variation.pages.test(page))?.change(payload)
  }
  return payload !== undefined && isClean(payload) ? payload : undefined
}
