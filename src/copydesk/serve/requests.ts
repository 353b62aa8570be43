import { SvcError } from '../../errors.js'
import { byLocale, type Locale, locales, metrics } from '../../insight/types.js'
import type { Draft } from '../edit/draft.js'
import type { SignoffSelection } from '../signoff/selection.js'
import type { StoryWish } from '../story.js'

/** A text to edit, and the example in which the reviewer reads it. */
export interface OpeningRequest {
  readonly id: string
  /** The words of the text there: an example may use it twice. */
  readonly said: string
  readonly example: string
  readonly locale: Locale
}

/** An edit of a text: the texts that the page shows as former ones, and the edited ones. */
export interface EditRequest {
  readonly id: string
  readonly before: Draft['texts']
  readonly texts: Draft['texts']
}

/** An approval. `shown` identifies the list that the page showed. */
export interface SigningRequest extends ReturnType<typeof parseSelection> {
  readonly by: string
  readonly shown: string
  readonly label?: string
}

/** Parses the requests of the page. Each throws `invalid_request` for a body that the page does not send. */
export function parseOpening(body: unknown): OpeningRequest {
  const { example, id, locale, said } = toObject(body)
  const known = locales.find((one) => one === locale)
  if (known === undefined) throw refuse()
  return { id: toText(id), said: toText(said), example: toText(example), locale: known }
}

export function parseEdit(body: unknown): EditRequest {
  const { before, id, texts } = toObject(body)
  return { id: toText(id), before: toTexts(before), texts: toTexts(texts) }
}

/** Parses the languages of an approval, and whether the reviewer approves as a native reader. */
export function parseSelection(body: unknown): Pick<SignoffSelection, 'locales' | 'isNative'> {
  const { isNative, locales: wanted } = toObject(body)
  if (!Array.isArray(wanted) || !wanted.every((one) => locales.includes(one))) throw refuse()
  return { ...(wanted.length < locales.length && { locales: wanted }), isNative: isNative === true }
}

export function parseSigning(body: unknown): SigningRequest {
  const { by, label, shown } = toObject(body)
  return {
    by: toText(by),
    shown: toText(shown),
    ...(label !== undefined && { label: toText(label).trim() }),
    ...parseSelection(body),
  }
}

export function parseStory(body: unknown): StoryWish {
  const { days, locale: wanted, metric: only, pet, seed, species } = toObject(body)
  const locale = locales.find((one) => one === wanted)
  const metric = metrics.find((one) => one === only)
  if (locale === undefined) throw refuse()
  return {
    pet: toText(pet),
    species: species === 'cat' ? species : 'dog',
    days: toText(days),
    seed: toText(seed),
    locale,
    metric,
  }
}

function toTexts(value: unknown): Draft['texts'] {
  const texts = toObject(value)
  return byLocale((locale) => toText(texts[locale]))
}

function toText(value: unknown): string {
  if (typeof value !== 'string') throw refuse()
  return value
}

function toObject(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) throw refuse()
  return value as Record<string, unknown>
}

const refuse = () => new SvcError('invalid_request', 'The body is not what the page sends. Reload the page.')
