import { isRuleVersion, ruleVersionForm } from '../../catalog/catalog.js'
import type { Finding } from '../../copydesk/finding.js'
import { locateFinding } from '../../copydesk/located-finding.js'
import { localeNames } from '../../copydesk/page/words.js'
import { type ReviewInput, readReviewInput } from '../../copydesk/review-input.js'
import type { SignedAnswer } from '../../copydesk/signoff/answers.js'
import { proposeLabel } from '../../copydesk/signoff/label.js'
import type { SignoffSelection } from '../../copydesk/signoff/selection.js'
import { showInSentences, type TextInSentences } from '../../copydesk/signoff/sentences.js'
import {
  describeUnread,
  findName,
  isNothing,
  nameRule,
  needsLabel,
  prepareSigning,
  refuseLabel,
  requireName,
  type Signing,
  writeApproved,
} from '../../copydesk/signoff/signing.js'
import type { SignedText } from '../../copydesk/signoff/signoff.js'
import type { WordChange } from '../../copydesk/word-diff.js'
import { defaultLocale, type Locale, locales } from '../../insight/index.js'
import { renderChange, renderFinding, showText } from '../../reports/copy-check.js'
import { toRepositoryPath } from '../../reports/validation/github.js'
import { createPaint, type Paint } from '../../runtime/style.js'
import { listWords } from '../../text/spelling.js'
import { count, toJsonText } from '../../text/words.js'
import { type CommandResult, isPersonThere, requirePerson } from '../command.js'

export interface SignFlags {
  /** The name of the reviewer; asked for on a terminal if it is not given. */
  readonly by?: string
  readonly text?: string[]
  readonly scenario?: string[]
  readonly locale?: Locale[]
  /** The label for changed texts. */
  readonly ruleVersion?: string
  /** True: sign without asking. */
  readonly yes?: boolean
  readonly json?: boolean
}

/**
 * `svc insight sign`: shows what changed since approval, and approves it. Returns 0 when done, 1 if findings block it
 * or the reviewer declines. Throws for an unknown text, a file that cannot be written, and if it cannot ask.
 */
export async function runSign(flags: SignFlags, now: Date): Promise<CommandResult> {
  const asks = isPersonThere() && !flags.yes
  const name = flags.by === undefined && asks ? undefined : requireName(flags.by)
  const read = await readReviewInput()
  const named: SignoffSelection = { texts: flags.text, scenarios: flags.scenario, locales: flags.locale }
  let prepared = prepareSigning(read, named, flags.ruleVersion)
  const isNew = !isNothing(prepared.signing)
  const by = name ?? (isNew ? await askName() : '')
  const open = locales.filter((locale) => prepared.signing.texts.some((text) => text.locale === locale))
  const asksLocale = asks && flags.locale === undefined && open.length > 1
  const selection = asksLocale ? { ...named, locales: await askLocales(open) } : named
  if (asksLocale) prepared = prepareSigning(read, selection, flags.ruleVersion)
  const asksLabel = asks && isNew && flags.ruleVersion === undefined && needsLabel(prepared.check)
  const obstacles = prepared.obstacles.filter(({ code }) => !(asksLabel && code === 'version-old'))
  if (obstacles.length > 0) {
    process.stderr.write(describeObstacles(obstacles, prepared.input))
    return 1
  }
  if (!flags.json) {
    const { check, input, signing } = prepared
    const texts = showInSentences(input, check, signing.texts)
    process.stdout.write(describeSigning(signing, texts, createPaint(process.stdout)))
  }
  if (asksLabel) {
    prepared = prepareSigning(read, selection, await askLabel(read))
    if (needsLabel(prepared.check)) throw refuseLabel(prepared.input.ruleVersion)
  }
  const { check, input, signing } = prepared
  if (isNew) {
    if (!(flags.yes || (await confirmSigning(signing, by)))) return 1
    await writeApproved(input, check, signing, { by, date: now.toISOString().slice(0, 10) })
  }
  const { ruleVersion } = input
  const unread = describeUnread(input, check, signing)
  const done = () => describeDone(signing, by, ruleVersion, unread)
  process.stdout.write(flags.json ? presentSigning(signing, ruleVersion) : done())
  return 0
}

async function askName(): Promise<string> {
  const { input } = await import('@inquirer/prompts')
  const validate = (name: string) => findName(name) !== undefined || nameRule
  return requireName(await answer((context) => input({ message: 'Who signs? Your name:', validate }, context)))
}

/** Asks which of the languages with open texts the reviewer reads. */
async function askLocales(open: readonly Locale[]): Promise<readonly Locale[]> {
  const { select } = await import('@inquirer/prompts')
  const choices = [
    ...open.map((locale) => ({ name: localeNames[locale], value: [locale] })),
    { name: 'all of these', value: open },
  ]
  return answer((context) => select<readonly Locale[]>({ message: 'Which language do you sign?', choices }, context))
}

async function askLabel({ ruleVersion, signoff }: ReviewInput): Promise<string> {
  const { input } = await import('@inquirer/prompts')
  const validate = (label: string) => {
    if (!isRuleVersion(label)) return `It must be ${ruleVersionForm}.`
    return Object.hasOwn(signoff.labels, label) ? 'This label already names other texts.' : true
  }
  const message = 'The changed texts need a new label:'
  const proposed = proposeLabel(signoff.labels, ruleVersion)
  return answer((context) => input({ message, default: proposed, validate }, context))
}

async function confirmSigning(signing: Signing, by: string): Promise<boolean> {
  requirePerson('Nothing was signed: without a terminal, confirm with --yes.')
  const { confirm } = await import('@inquirer/prompts')
  const signed = nameSigned(signing)
  const what = signed === '' ? `Remove ${count(signing.leftOver.length, 'approval')}` : `Sign ${signed}`
  return answer((context) => confirm({ message: `${what} as ${by}?`, default: false }, context))
}

async function answer<Value>(ask: (context: { output: NodeJS.WriteStream }) => Promise<Value>): Promise<Value> {
  const { context, requireAnswer } = await import('../ask.js')
  return requireAnswer(ask(context), 'The question was not answered, so nothing was signed.')
}

function describeObstacles(obstacles: readonly Finding[], input: ReviewInput): string {
  const paint = createPaint(process.stderr)
  const shown = obstacles.map((finding) => {
    const located = locateFinding(input, finding)
    return `${toRepositoryPath(located.path, process.cwd())}\n${renderFinding(located, paint)}`
  })
  return `${shown.join('')}svc: Nothing was signed: fix ${obstacles.length === 1 ? 'this' : 'these'} first.\n`
}

/** Renders everything to approve: the sentences of each text, before and after, then the answers. */
function describeSigning(
  { answers, leftOver, wording }: Signing,
  texts: readonly TextInSentences[],
  paint: Paint,
): string {
  const title = ({ id, locale, state }: Pick<SignedText, 'id' | 'locale' | 'state'>) =>
    `${paint('bold', id)} ${locale}  ${state}`
  const blocks = [
    ...texts.map((shown) => [title(shown.text), ...renderSentences(shown, paint)]),
    ...answers.map((answer) => [title(answer), ...renderAnswer(answer, paint)]),
  ]
  const gone = leftOver.map((id) => `${paint('bold', id)}  no longer exists: its approval is removed\n`)
  return [
    ...blocks.map((lines) => `${lines.join('\n')}\n`),
    ...(wording ? [`${paint('bold', 'catalog/insight/wording.json')}  changed\n`] : []),
    ...gone,
  ].join('')
}

/** Renders every change of a text once, in the first sentence that has it, and counts the others with the same change. */
function renderSentences({ sentences, source, text }: TextInSentences, paint: Paint): string[] {
  const { locale } = text
  const byChange = new Map<string, (readonly WordChange[])[]>()
  for (const changes of sentences) {
    const key = JSON.stringify(changes.filter(({ kind }) => kind !== 'same'))
    byChange.set(key, [...(byChange.get(key) ?? []), changes])
  }
  const shown = [...byChange.values()].flatMap(([first = [], ...others]) => [
    ...renderWords(first, locale, paint),
    ...(others.length === 0 ? [] : [`        and ${count(others.length, 'more sentence')} with the same change`]),
  ])
  return [
    ...(shown.length === 0 ? ['        No example says anything different.'] : shown),
    ...(source === undefined ? [] : [`      ${defaultLocale} is now:`, ...renderWords(source, defaultLocale, paint)]),
  ]
}

/** Renders a sentence: one line if it has the approved words, else the approved and the current one. */
function renderWords(changes: readonly WordChange[], locale: Locale, paint: Paint): string[] {
  const without = (kind: WordChange['kind']) =>
    changes.flatMap((change) => (change.kind === kind ? [] : [change.text])).join('')
  const [before, after] = [without('added'), without('removed')]
  return before === after ? [`        ${showText(after)}`] : renderChange({ before, after, locale }, paint)
}

/** Renders an answer. A stale one may have the approved words: its fixture changed. */
function renderAnswer({ entry, locale, state, text }: SignedAnswer, paint: Paint): string[] {
  if (state === 'stale' && entry?.text === text) return [`        ${showText(text)}`]
  return renderChange({ ...(entry && { before: entry.text }), after: text, locale }, paint)
}

/** Returns a phrase such as "3 texts and 2 answers". */
function nameSigned({ answers, label, texts, wording }: Signing): string {
  const parts = [
    ...(texts.length > 0 ? [count(texts.length, 'text')] : []),
    ...(answers.length > 0 ? [count(answers.length, 'answer')] : []),
    ...(wording ? ['the rules about words'] : []),
    ...(label ? ['the label'] : []),
  ]
  return listWords(parts, 'and')
}

function describeDone(signing: Signing, by: string, ruleVersion: string, unread?: string): string {
  const { leftOver } = signing
  const signed = nameSigned(signing)
  const done = [
    ...(signed === '' ? [] : [`Signed ${signed} as ${by} (${ruleVersion}).`]),
    ...(leftOver.length > 0 ? [`Removed ${count(leftOver.length, 'approval')}.`] : []),
  ]
  const said = done.join(' ') || 'Nothing to sign: every text named is signed as it is.'
  return `${said}\n${unread === undefined ? '' : `${unread}\n`}`
}

function presentSigning({ answers, leftOver, texts, wording }: Signing, ruleVersion: string): string {
  const result = {
    signed: texts.map(({ id, locale, state }) => ({ text: id, locale, was: state })),
    answers: answers.map(({ id, locale, state }) => ({ fixture: id, locale, was: state })),
    wording,
    removed: leftOver,
    ruleVersion,
  }
  return `${toJsonText(result)}\n`
}
