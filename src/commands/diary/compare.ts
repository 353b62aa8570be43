import { readSceneLibrary } from '../../catalog/diary.js'
import { explainChanges, type LibraryComparison, type SceneDifference } from '../../media/compare-libraries.js'
import { type DiaryVersion, diaryVersions } from '../../media/diary-versions.js'
import { createPaint, type Paint } from '../../runtime/style.js'
import { toJsonText } from '../../text/words.js'
import type { CommandResult } from '../command.js'

export interface ComparedVersions {
  readonly older: DiaryVersion
  readonly newer: DiaryVersion
}

/** `svc diary scenes --diff`: prints the differences between two versions, with the reasons from the notes. */
export function runCompare({ older, newer }: ComparedVersions, json: boolean): CommandResult {
  const between = diaryVersions.slice(diaryVersions.indexOf(newer), diaryVersions.indexOf(older)).reverse()
  const comparison = explainChanges(
    readSceneLibrary(older),
    between.map((version) => readSceneLibrary(version)),
  )
  process.stdout.write(json ? `${toJsonText(comparison)}\n` : renderComparison(comparison, createPaint(process.stdout)))
  return 0
}

/** Renders the comparison for people, one line per scene. */
export function renderComparison({ from, to, added, removed, changed }: LibraryComparison, paint: Paint): string {
  const width = Math.max(...[...added, ...removed, ...changed].map(({ scene_id: id }) => id.length))
  const line = (sign: string, { scene_id: id, title, members, reasons }: SceneDifference) => {
    const about = reasons === undefined ? title : reasons.join(' ')
    return `${sign} ${id.padEnd(width)}  ${about}${members === undefined ? '' : ` (${members.join(', ')})`}`
  }
  return [
    `${paint('bold', `${from}..${to}`)}  ${added.length} added, ${removed.length} removed, ${changed.length} changed`,
    ...added.map((difference) => paint('green', line('+', difference))),
    ...removed.map((difference) => paint('red', line('-', difference))),
    ...changed.map((difference) => paint('yellow', line('~', difference))),
    '',
  ].join('\n')
}
