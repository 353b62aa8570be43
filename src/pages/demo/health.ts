import { get, getChoice, make } from '../shared/dom.js'
import type { Insight } from './answers.js'
import { readFile } from './api.js'
import type { KeyForm } from './key-form.js'
import { Step } from './step.js'

interface Fixture {
  readonly file: string
  readonly scenario: string
  readonly condition: string
  readonly variant?: string
}

const first = 'REST_NIGHT_GOOD.json'

/** A paragraph about one of the sample payloads, in three languages. */
export function startHealth(key: KeyForm): void {
  const work = new Step('#health').of('')
  const select = get(HTMLSelectElement, '#fixture')
  const paragraph = get(HTMLElement, '#paragraph')
  const [empty] = paragraph.children

  const write = (changes: object = {}) => {
    if (!key.require()) return
    const [file, locale] = [select.value, getChoice('health-locale')]
    void work.runNext(async () => {
      paragraph.replaceChildren(...(empty === undefined ? [] : [empty]))
      work.say('Writing…')
      const payload = (await (await readFile(`demo/fixtures/${file}`)).json()) as object
      const json = { ...payload, locale, ...changes }
      const insight = await work.call<Insight>({ method: 'POST', path: 'v1/health-detail-insights/generate', json })
      paragraph.lang = locale
      paragraph.replaceChildren(...draw(insight))
      work.say('')
      work.sayCost('Chosen by rules: no model is called, and nothing is paid.')
    })
  }

  get(HTMLButtonElement, '#write').addEventListener('click', () => write())
  get(HTMLButtonElement, '#break').addEventListener('click', () => write({ schemaVersion: 'health-detail-v2' }))
  for (const place of [select, get(HTMLElement, '#health-locale')]) place.addEventListener('change', () => write())
  void work.run(async () => {
    offer(select, (await (await readFile('demo/fixtures.json')).json()) as Fixture[])
  })
}

function draw({ status, summary, supplement }: Insight): HTMLElement[] {
  return [
    make('span', { class: 'chip', lang: 'en', 'data-status': status }, status),
    make('p', {}, summary),
    ...(supplement ? [make('p', { class: 'supplement' }, supplement)] : []),
  ]
}

const subjects: readonly (readonly [prefix: string, label: string])[] = [
  ['ACTIVITY', 'Activity'],
  ['REST', 'Rest'],
  ['HR_', 'Heart rate'],
  ['HRV', 'Heart rate variability'],
  ['RR', 'Breathing rate'],
  ['BARK', 'Barking'],
  ['', 'More'],
]

function offer(select: HTMLSelectElement, fixtures: readonly Fixture[]): void {
  const findSubject = ({ scenario }: Fixture) => subjects.find(([prefix]) => scenario.startsWith(prefix))
  const groups = subjects.map((subject) => {
    const options = fixtures
      .filter((fixture) => findSubject(fixture) === subject)
      .map(({ file, condition, variant }) =>
        make('option', { value: file }, condition + (variant === undefined ? '' : `: ${variant}`)),
      )
    return make('optgroup', { label: subject[1] }, ...options)
  })
  select.replaceChildren(...groups.filter((group) => group.childElementCount > 0))
  select.value = first
}
