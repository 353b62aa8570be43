import { SvcError } from '../errors.js'
import { formatDate } from '../insight/calendar.js'
import { type HealthDetailPayload, type Scenario, scenarios } from '../insight/index.js'
import { metricsOf } from '../insight/scenarios.js'
import { type Metric, type ViewWindow, viewWindows } from '../insight/types.js'
import { findNearest, listWords } from '../text/spelling.js'
import { createDraw, pick, rotate } from './draw.js'
import { generatePayload, type PayloadRequest } from './generate-payload.js'

/** A choice of payloads. */
export interface GenerateChoice extends Omit<PayloadRequest, 'scenario' | 'metric' | 'viewWindow'> {
  readonly metric?: Metric | undefined
  readonly viewWindow?: ViewWindow | undefined
  /** The ID of a scenario; `all` for one payload of each that fits; default: random ones. */
  readonly scenario?: string | undefined
  readonly count: number
}

/** A scenario on a page that may get it. */
type ScenarioPage = Pick<PayloadRequest, 'scenario' | 'metric' | 'viewWindow'>

/**
 * Generates payloads; `leftOut` has a sentence for each scenario of `all` that no payload could get. The same choice gives the
 * same payloads. Throws `invalid_request` if the scenario does not fit metric and window, or if no payload gets it.
 */
export function generatePayloads(choice: GenerateChoice) {
  const draw = createDraw(choice.seed)
  const pages = listPages(choice)
  /** Returns a payload, or a sentence on the reason that no payload gets the scenario. */
  const make = (id: string, index: number): HealthDetailPayload | string => {
    const fitting = pages.filter(({ scenario }) => scenario.id === id)
    const page = pick(draw('page', index), fitting)
    const seed = Math.floor(draw('payload', index) * 2 ** 31)
    const generated = generatePayload({ ...choice, ...page, seed })
    return 'payload' in generated ? generated.payload : explain(choice, page, generated.reason)
  }
  if (choice.scenario === 'all') {
    const fitting = scenarios.filter((one) => pages.some(({ scenario }) => scenario === one))
    const made = fitting.map(({ id }, index) => make(id, index))
    const payloads = made.filter((one) => typeof one !== 'string')
    const leftOut = made.filter((one) => typeof one === 'string')
    if (payloads.length === 0) throw new SvcError('invalid_request', leftOut.join('\n'))
    return { payloads, leftOut }
  }
  const ids = [...new Set(pages.map(({ scenario }) => scenario.id))]
  const payloads = Array.from({ length: choice.count }, (_, index) => {
    let sentence = ''
    // A window that is not over may have too few days for the first scenario.
    for (const id of rotate(ids, draw('scenario', index))) {
      const made = make(id, index)
      if (typeof made !== 'string') return made
      sentence ||= made
    }
    throw new SvcError('invalid_request', sentence)
  })
  return { payloads, leftOut: [] }
}

/** Lists the pages of the scenarios asked for. Throws `invalid_request` if no page fits. */
function listPages({ scenario: wanted, metric, viewWindow, pet }: GenerateChoice): readonly ScenarioPage[] {
  const all = wanted === undefined || wanted === 'all'
  if (!all && !scenarios.some(({ id }) => id === wanted)) {
    const nearest = findNearest(
      wanted,
      scenarios.map(({ id }) => id),
    )
    const advice = nearest === undefined ? 'svc insight scenarios lists them.' : `Did you mean ${nearest}?`
    throw new SvcError('invalid_request', `${wanted} is not a scenario. ${advice}`)
  }
  const possible = scenarios.filter(({ id }) => all || id === wanted).flatMap(pagesOf)
  const pages = possible.filter(
    (page) => (metric ?? page.metric) === page.metric && (viewWindow ?? page.viewWindow) === page.viewWindow,
  )
  // A cat does not bark, unless somebody asks for it.
  const ofCats = pet.species === 'cat' && metric === undefined ? pages.filter((page) => page.metric !== 'bark') : []
  if (ofCats.length > 0) return ofCats
  if (pages.length > 0) return pages
  const ofMetric = possible.filter((page) => page.metric === metric)
  const others = ofMetric.length > 0 ? ofMetric : possible
  const metrics = [...new Set(others.map((page) => page.metric))]
  const windows = viewWindows
    .filter((window) => others.some((page) => page.viewWindow === window))
    .map((window) => (window === 'day' && metrics.every((each) => each === 'rest') ? 'night' : window))
  const asked = [metric && `--metric ${metric}`, viewWindow && `--window ${viewWindow}`].filter(Boolean)
  throw new SvcError(
    'invalid_request',
    `${wanted} is not possible with ${asked.join(' ')}: it is about a ${listWords(windows, 'or')} of ${listWords(
      metrics.map((each) => (each === 'bark' ? 'barking' : each)),
      'or',
    )}.`,
  )
}

/** The metrics and windows that may get a scenario. */
function pagesOf(scenario: Scenario): readonly ScenarioPage[] {
  const views = new Set(scenario.when.map(({ view }) => view))
  const windows = viewWindows.filter((window) =>
    window === 'day' ? views.has('today') || views.has('day') : views.has('period'),
  )
  return metricsOf(scenario).flatMap((metric) =>
    windows
      // A day of activity always has its minutes.
      .filter((window) => !(scenario.id === 'INSUFFICIENT_DATA' && metric === 'activity' && window === 'day'))
      .map((viewWindow) => ({ scenario, metric, viewWindow })),
  )
}

function explain(
  { end, isSoFar, timezone }: GenerateChoice,
  { scenario, metric, viewWindow }: ScenarioPage,
  reason: string,
): string {
  const until =
    isSoFar && viewWindow !== 'day' ? `the ${viewWindow} so far on ${formatDate(end)}` : `${formatDate(end)}`
  return `${scenario.id} is not possible for ${metric} by ${viewWindow} with ${until} in ${timezone}: ${reason}`
}
