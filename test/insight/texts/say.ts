import { generate, type HealthDetailPayload } from '../../../src/insight/index.js'
import { loadPlainCopy } from '../../helpers/plain-copy.js'

/** The texts of the catalog. */
export const copy = await loadPlainCopy()

/** Returns the summary of a payload in all languages. */
export const sayAll = (payload: HealthDetailPayload) => ({
  en: generate(payload, { copy, locale: 'en-US' }).summary,
  es: generate(payload, { copy, locale: 'es' }).summary,
  zh: generate(payload, { copy, locale: 'zh-CN' }).summary,
})
