import type { PlacedComment } from '../copydesk/comments.js'
import { localeNames } from '../copydesk/page/words.js'
import type { Paint } from '../runtime/style.js'
import { count, toPrintable } from '../text/words.js'

/** Renders the comments of reviewers, each with the text as it was then and as it is now. */
export function renderComments(comments: readonly PlacedComment[], paint: Paint): string {
  const changed = comments.filter(({ isChanged }) => isChanged).length
  const end = `${count(comments.length, 'comment')}${changed === 0 ? '' : `, ${changed} on a text that changed since`}.\n`
  return comments.map((comment) => renderComment(comment, paint)).join('') + end
}

function renderComment(comment: PlacedComment, paint: Paint): string {
  const { at, by, isChanged, locale, pattern, patternNow, place, said, saidNow, textId } = comment
  const line = (name: string, text: string) => `  ${paint('dim', name.padEnd(8))}  ${toPrintable(text)}\n`
  const head = `${place ?? 'No longer in the catalog'}  ${toPrintable(textId)}  ${localeNames[locale]}`
  const words = comment.comment.split('\n').map((text) => `  ${toPrintable(text)}\n`)
  const isOther = patternNow !== undefined && patternNow !== pattern
  return [
    `${paint('bold', head)}\n`,
    ...words,
    line('from', `${by || 'no name'}, ${at.slice(0, 10)}`),
    line('read', said),
    ...(isChanged ? [`  ${paint('yellow', 'The text changed since this comment:')}\n`] : []),
    ...(saidNow !== undefined && saidNow !== said ? [line('reads', saidNow)] : []),
    ...(isOther ? [line('was', pattern)] : []),
    ...(patternNow === undefined ? [] : [line('text', patternNow)]),
    '\n',
  ].join('')
}
