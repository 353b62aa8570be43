import { type Static, type TSchema, Type } from 'typebox'
import { Check } from 'typebox/schema'
import { SvcError } from '../../errors.js'
import { type Locale, locales, metrics } from '../../insight/types.js'

const Text = Type.String()
const OneLocale = Type.Unsafe<Locale>({ enum: locales })
const Texts = Type.Object({ 'zh-CN': Text, 'en-US': Text, es: Text })

/** A text to edit, and the example in which the reviewer reads it; `said` are its words there: an example may use it twice. */
export const OpeningRequest = Type.Object({ id: Text, said: Text, example: Text, locale: OneLocale })
export type OpeningRequest = Static<typeof OpeningRequest>

/** An edit of a text: the texts that the page shows as former ones, and the edited ones. */
export const EditRequest = Type.Object({ id: Text, before: Texts, texts: Texts })

/** The languages of an approval, and whether the reviewer approves as a native reader. */
export const SelectionRequest = Type.Object({ locales: Type.Array(OneLocale), isNative: Type.Boolean() })

/** An approval. `shown` identifies the list that the page showed. */
export const SigningRequest = Type.Object({
  ...SelectionRequest.properties,
  ...{ by: Text, shown: Text, label: Type.Optional(Text) },
})
export type SigningRequest = Static<typeof SigningRequest>

/** The fields of the form for a story, with numbers as they are typed; an empty metric means all. */
export const StoryRequest = Type.Object({
  ...{ pet: Text, days: Text, seed: Text, locale: OneLocale },
  species: Type.Unsafe<'dog' | 'cat'>({ enum: ['dog', 'cat'] }),
  metric: Type.Unsafe<(typeof metrics)[number] | ''>({ enum: ['', ...metrics] }),
})

/** Parses a request of the page. Throws `invalid_request` for a body that the page does not send. */
export function parseRequest<Schema extends TSchema>(schema: Schema, body: unknown): Static<Schema> {
  if (Check(schema as object, body)) return body as Static<Schema>
  throw new SvcError('invalid_request', 'The body is not what the page sends. Reload the page.')
}
