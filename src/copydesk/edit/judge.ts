import { type Copy, generate, type Locale, locales } from '../../insight/index.js'
import { traceTexts } from '../../insight/trace.js'
import type { EntryFile } from '../entries.js'
import type { Example } from '../examples/examples.js'
import type { Finding } from '../finding.js'
import { once } from '../lint/keep-last.js'
import { lintTexts } from '../lint/lint.js'
import type { ReviewInput } from '../review-input.js'
import type { Draft } from './draft.js'

export type Judge = ReturnType<typeof createJudge>

/**
 * Returns a function that judges edits of one text by the lint and by the examples that use it. `findings` are those that
 * `svc insight check` would report because of the edit, `said` is every summary that uses the text, before and after it.
 * `isUsable` is false if the texts cannot be rendered; the findings say why.
 */
export function createJudge(id: string, input: ReviewInput, copy: Copy, candidates: readonly Example[]) {
  /** Checks the texts before the edit only when the changed ones have a finding: it takes half a second. */
  const listKnown = once(() => new Set(lintTexts(input).findings.map(nameFinding)))
  const users = candidates.filter((user) => locales.some((locale) => uses(id, user, locale, copy)))
  return (edited: Draft['texts']) => {
    const { findings, messages } = lintTexts(changeEntry(input, id, edited))
    const fresh = findings.filter((finding) => !listKnown().has(nameFinding(finding)))
    if (messages === undefined) return { isUsable: false, findings: fresh, said: [] }
    const after = { ...copy, messages }
    const said = users.flatMap((user) =>
      locales
        .filter((locale) => uses(id, user, locale, copy))
        .map((locale) => ({ user, locale, before: say(user, locale, copy), after: say(user, locale, after) })),
    )
    return { isUsable: true, findings: fresh, said }
  }
}

const say = ({ payload }: Example, locale: Locale, copy: Copy) => generate(payload, { copy, locale }).summary

const nameFinding = ({ code, id, locale, message }: Finding) => [code, id, locale, message].join(' ')

function uses(id: string, { payload }: Example, locale: Locale, copy: Copy): boolean {
  return traceTexts(copy, (traced) => generate(payload, { copy: traced, locale })).uses.some((use) => use.id === id)
}

function changeEntry(input: ReviewInput, id: string, edited: Draft['texts']): ReviewInput {
  const change = (file: EntryFile): EntryFile => ({
    ...file,
    entries: file.entries.map((entry) => {
      if (entry.id !== id) return entry
      const members = entry.members?.map((member) => {
        const locale = locales.find((candidate) => candidate === member.name)
        return locale === undefined ? member : { ...member, value: edited[locale] }
      })
      return { ...entry, members }
    }),
  })
  return { ...input, files: input.files.map(change) }
}
