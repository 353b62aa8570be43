import { loadInsightCopy, readInsightFiles, readInsightSignoff, readInsightTexts } from '../../catalog/catalog.js'
import { isSvcError, SvcError } from '../../errors.js'
import { byLocale, generate, locales } from '../../insight/index.js'
import { type TextUse, traceTexts } from '../../insight/trace.js'
import { readDraft, writeCatalogTexts } from '../edit/catalog-file.js'
import { type Draft, withEndsOf } from '../edit/draft.js'
import { createJudge, type Judge } from '../edit/judge.js'
import { splitPattern } from '../edit/pieces.js'
import { createSamples, type Samples } from '../examples/examples.js'
import { once } from '../lint/keep-last.js'
import { renderReviewPage } from '../page/page.js'
import { createReview, findReviewExamples } from '../page/review.js'
import { findCatalogFolder, readReviewInput } from '../review-input.js'
import { hashText } from '../signoff/signoff.js'
import { tellStory } from '../story.js'
import { diffWords } from '../word-diff.js'
import { listSignable, signShown } from './approval.js'
import { type DeskChange, parseChange } from './change.js'
import { openDrafts, openNotes } from './drafts.js'
import {
  EditRequest,
  OpeningRequest,
  parseRequest,
  SelectionRequest,
  SigningRequest,
  StoryRequest,
} from './requests.js'
import type { DeskRoutes } from './server.js'

export interface DeskOptions {
  /** The folder of comments and notes. */
  readonly folder: string
  /** The folder of what this user's programs keep between runs: drafts. */
  readonly stateFolder: string
  /** The command that starts the desk again, as the page shows it. */
  readonly command: string
  readonly now: () => Date
}

const portKey = 'port'

/** Opens the desk: the review page on the catalog of this program, with edits, approvals, comments and marks. */
export function openDesk({ command, folder, now, stateFolder }: DeskOptions) {
  const notes = openNotes(folder)
  const drafts = openDrafts(stateFolder, findCatalogFolder())
  const read = createReader()
  const today = () => now().toISOString().slice(0, 10)
  // One after the other: each action reads files, and some of them write.
  const inTurn = createQueue()
  const actions: DeskRoutes['actions'] = {
    change: async (body) => {
      if (!Array.isArray(body)) throw new SvcError('invalid_request', 'The body is not a list of changes.')
      const kept: DeskChange[] = []
      const refused: Record<number, string> = {}
      for (const [index, value] of body.entries()) {
        const change = parseChange(value)
        if (typeof change === 'string') refused[index] = change
        else if (change.kind !== 'draft') kept.push(change)
        else {
          await drafts.change(change.id, change.locale, change.text).catch((error: unknown) => {
            // The text was removed from the catalog.
            if (!isSvcError(error) || error.code !== 'not_found') throw error
            refused[index] = error.message
          })
        }
      }
      if (kept.length > 0) await notes.apply(kept, (await read()).input.ruleVersion)
      return { refused }
    },
    open: async (body) => {
      const { id: wanted, ...place } = parseRequest(OpeningRequest, body)
      const { file, id, texts } = readDraft(wanted)
      const draft = drafts.list().get(id) ?? texts
      const values = findValues(await read(), { id, ...place })
      const pieces = byLocale((locale) => splitPattern(draft[locale], values && { values, locale }))
      return { file, texts, draft, pieces, values: listShown(values ?? {}, texts[place.locale]) }
    },
    preview: async (body) => {
      const { id, texts } = parseRequest(EditRequest, body)
      const now = readDraft(id)
      const edited = withEnds(texts, now.texts)
      const { copy, findExamples, input, judges } = await read()
      const judge = judges.get(id) ?? createJudge(id, input, copy, findExamples())
      judges.set(id, judge)
      const { findings, isUsable, said } = judge(edited)
      const changed = locales.filter((locale) => edited[locale] !== now.texts[locale])
      return {
        isUsable,
        findings: findings.map(({ fix, locale, message }) => ({ fix, locale, message })),
        pieces: byLocale((locale) => splitPattern(edited[locale])),
        said: said.flatMap(({ after, before, locale, user }) =>
          changed.includes(locale) ? [{ example: user.id, locale, changes: diffWords(before, after, locale) }] : [],
        ),
      }
    },
    save: async (body) => {
      const { before, id, texts } = parseRequest(EditRequest, body)
      const { file, texts: now } = readDraft(id)
      const edited = withEnds(texts, now)
      const changed = locales.filter((locale) => edited[locale] !== before[locale])
      const { input, copy } = await read()
      const { findings, isUsable } = createJudge(id, input, copy, [])(edited)
      if (!isUsable) throw new SvcError('invalid_request', findings[0]?.message ?? 'The text cannot be used.')
      await writeCatalogTexts(
        file.replace(/^catalog\//, ''),
        changed.map((locale) => ({ before: { id, locale, text: before[locale] }, text: edited[locale] })),
      )
      for (const locale of locales) await drafts.change(id, locale, null)
      return { file }
    },
    story: async (body) => {
      const { metric, ...wish } = parseRequest(StoryRequest, body)
      return tellStory({ ...wish, metric: metric || undefined }, (await read()).copy)
    },
    signable: async (body) => listSignable(await readReviewInput(), parseRequest(SelectionRequest, body)),
    sign: async (body) => signShown(await readReviewInput(), parseRequest(SigningRequest, body), today()),
  }
  return {
    notes,
    /** Returns the port of the last time, or 0: browsers keep unsent changes by the port. */
    findPort: () => {
      const port = Number(notes.readNotes()[portKey])
      return Number.isInteger(port) && port > 0 && port < 65_536 ? port : 0
    },
    keepPort: (port: number) => notes.apply([{ kind: 'note', key: portKey, value: String(port) }], ''),
    page: () =>
      inTurn(async () =>
        renderReviewPage((await read()).review(), today(), {
          command,
          commentFile: notes.commentFile,
          comments: notes.readComments(),
          notes: notes.readNotes(),
          drafts: Object.fromEntries(drafts.list()),
        }),
      ),
    actions: Object.fromEntries(
      Object.entries(actions).map(([name, run]) => [name, (body: unknown) => inTurn(() => run(body))]),
    ),
  }
}

/** Returns the values of a text where an example says it with the given words; undefined if it does not. */
function findValues({ copy, findExamples }: DeskContent, { example, id, locale, said }: OpeningRequest) {
  const payload = findExamples().find((one) => one.id === example)?.payload
  if (payload === undefined) return undefined
  const { uses } = traceTexts(copy, (traced) => generate(payload, { copy: traced, locale }))
  return uses.find((use) => use.id === id && use.text === said)?.values
}

/** Lists the placeholders of a text with their words. */
function listShown(values: TextUse['values'], text: string): [string, string][] {
  const shown = new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
  return Object.entries(values).flatMap(([name, value]) => (shown.has(name) ? [[name, String(value)]] : []))
}

/** Returns a function that reads the catalog again only if a file of it changed. */
function createReader(): () => Promise<DeskContent> {
  let known: { readonly hash: string; readonly content: DeskContent } | undefined
  const samples = createSamples()
  return async () => {
    const files = readInsightFiles().map(({ content }) => content)
    const hash = hashText(JSON.stringify([files, readInsightSignoff()]))
    if (known?.hash !== hash) known = { hash, content: await readContent(samples) }
    return known.content
  }
}

type DeskContent = Awaited<ReturnType<typeof readContent>>

/** Reads the catalog, with everything that is derived from it, the first time that it is asked for. */
async function readContent(samples: Samples) {
  const input = await readReviewInput()
  const { fixtures, signoff } = input
  const source = { texts: readInsightTexts(), copy: await loadInsightCopy(), fixtures, signoff }
  const findExamples = once(() => findReviewExamples(source, samples))
  const review = once(() => createReview({ ...source, examples: findExamples() }))
  return { input, copy: source.copy, findExamples, review, judges: new Map<string, Judge>() }
}

function createQueue(): <Result>(task: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve()
  return (task) => {
    const run = last.then(task, task)
    last = run.catch(() => undefined)
    return run
  }
}

function withEnds(texts: Draft['texts'], former: Draft['texts']): Draft['texts'] {
  return byLocale((locale) => withEndsOf(former[locale], texts[locale]))
}
