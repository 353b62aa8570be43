import { isAboutSignoff } from '../copydesk/finding.js'
import type { CheckReport, LocatedFinding } from '../copydesk/located-finding.js'
import type { SignState } from '../copydesk/signoff/signoff.js'
import { diffWords } from '../copydesk/word-diff.js'
import { type Locale, locales } from '../insight/types.js'
import { programName } from '../runtime/program-name.js'
import { type Paint, plain } from '../runtime/style.js'
import { count, toJsonText, toPrintable } from '../text/words.js'
import { createAnnotations, toRepositoryPath } from './validation/github.js'
import type { AnnotationOptions } from './validation/reporter.js'

interface FormatOptions extends AnnotationOptions {
  readonly paint: Paint
}

/** Every format of `svc insight check`. */
export const checkFormats = {
  text: renderText,
  json: renderJson,
  github: renderGithub,
} satisfies Record<string, (report: CheckReport, options: FormatOptions) => string>

export type CheckFormatName = keyof typeof checkFormats

function renderText(report: CheckReport, options: FormatOptions): string {
  const blocks = report.findings.map((finding, index) => {
    const isFirst = report.findings[index - 1]?.path !== finding.path
    const title = isFirst ? `${options.paint('bold', toPrintable(toRepositoryPath(finding.path, options.cwd)))}\n` : ''
    return `${title}${renderFinding(finding, options.paint)}\n`
  })
  return `${blocks.join('')}${renderSummary(report, options.paint)}\n`
}

/** Renders a finding: location, code, message, the text before and after, and the fix. */
export function renderFinding({ location, code, message, fix, ...texts }: LocatedFinding, paint: Paint): string {
  const place = location === undefined ? '' : `${location.line}:${location.column}  `
  const lines = [
    `  ${place}${paint('red', code)}  ${toPrintable(message)}`,
    ...renderChange(texts, paint),
    `      ${fix.replaceAll('svc insight ', `${programName()} insight `)}`,
  ]
  return `${lines.join('\n')}\n`
}

/** Renders the approved and the current text, one line each. With colors, the words that differ are underlined. */
export function renderChange(
  { before, after, locale }: { readonly before?: string; readonly after?: string; readonly locale?: Locale },
  paint: Paint,
): string[] {
  const [older, newer] = [before, after].map((text) => (text === undefined ? undefined : showText(text)))
  const changes =
    older === undefined || newer === undefined || locale === undefined ? [] : diffWords(older, newer, locale)
  const mark = (kind: 'added' | 'removed') =>
    changes
      .filter((change) => change.kind === 'same' || change.kind === kind)
      .map((change) => (change.kind === 'same' ? change.text : paint('underline', change.text)))
      .join('')
  return [
    ...(older === undefined ? [] : [paint('red', `      - ${mark('removed') || older}`)]),
    ...(newer === undefined ? [] : [paint('green', `      + ${mark('added') || newer}`)]),
  ]
}

/** Formats a text for one line; leading and trailing spaces become visible marks. */
export function showText(text: string): string {
  return toPrintable(text).replace(/^ +| +$/g, (spaces) => '␣'.repeat(spaces.length))
}

function renderSummary({ findings, isRendered, ruleVersion, signed }: CheckReport, paint: Paint): string {
  const texts = `${count(new Set(signed.map(({ id }) => id)).size, 'text')} in ${count(locales.length, 'language')}`
  if (findings.length === 0) return `${texts}: ${paint('green', 'no fault, all signed off')} (${ruleVersion}).`
  const approval = findings.filter(isAboutSignoff).length
  const faults = findings.length - approval
  const parts = [
    paint(faults > 0 ? 'red' : 'green', count(faults, 'fault')),
    paint(approval > 0 ? 'red' : 'green', `${approval} not signed off`),
  ]
  const note = isRendered ? '' : ' The texts could not be rendered: fix these and run it again.'
  return `${signed.length > 0 ? `${texts}: ` : ''}${parts.join(', ')} (${ruleVersion}).${note}`
}

function renderJson({ findings, isRendered, ruleVersion, signed }: CheckReport): string {
  const inState = (state: SignState) => signed.filter((text) => text.state === state).length
  const summary = {
    texts: new Set(signed.map(({ id }) => id)).size,
    findings: findings.length,
    faults: findings.filter((finding) => !isAboutSignoff(finding)).length,
    signed: inState('signed'),
    changed: inState('changed'),
    stale: inState('stale'),
    unsigned: inState('unsigned'),
    ruleVersion,
    rendered: isRendered,
  }
  return `${toJsonText({ findings: findings.map(presentFinding), summary })}\n`
}

/** Converts a finding to its wire form. */
export function presentFinding({ code, file, id, locale, location, message, fix, before, after }: LocatedFinding) {
  return {
    code,
    file: `catalog/${file}`,
    line: location?.line ?? null,
    column: location?.column ?? null,
    text: id ?? null,
    locale: locale ?? null,
    message,
    fix,
    before: before ?? null,
    after: after ?? null,
  }
}

function renderGithub(report: CheckReport, options: FormatOptions): string {
  const pieces: string[] = []
  const annotations = createAnnotations((text) => pieces.push(text), 'svc insight check', options)
  for (const { path, location, code, message, fix, ...texts } of report.findings) {
    const lines = [message, ...renderChange(texts, plain), fix].map((line) => line.trim())
    annotations.add({ level: 'error', source: path, ...location, rule: code, message: lines.join('\n') })
  }
  annotations.end(renderSummary(report, plain))
  return pieces.join('')
}
