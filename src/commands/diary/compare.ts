import { readSceneLibrary } from '../../catalog/diary.js'
import { type DiaryVersion, diaryVersions } from '../../media/diary-versions.js'
import { compareLibraries, type SceneLibrary } from '../../media/scenes.js'
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
  const comparison = compare(
    readSceneLibrary(older),
    between.map((version) => readSceneLibrary(version)),
  )
  process.stdout.write(json ? `${toJsonText(comparison)}\n` : renderComparison(comparison, createPaint(process.stdout)))
  return 0
}

/** A scene that differs. `members` changed, such as `facts.weather`; `reasons` are in the order of versions. */
interface SceneDifference {
  readonly scene_id: string
  readonly title: string
  readonly members?: readonly string[]
  readonly reasons?: readonly string[]
}

export interface LibraryComparison extends Record<'added' | 'removed' | 'changed', readonly SceneDifference[]> {
  readonly from: DiaryVersion
  readonly to: DiaryVersion
}

/** Compares `first` with the last of `later`, which are all versions after the first in order. */
export function compare(first: SceneLibrary, later: readonly SceneLibrary[]): LibraryComparison {
  const last = later.at(-1) ?? first
  const changes = compareLibraries(first.scenes, last.scenes)
  const before = new Map(first.scenes.map((scene) => [scene.scene_id, scene]))
  const after = new Map(last.scenes.map((scene) => [scene.scene_id, scene]))
  const describe = (id: string): SceneDifference => ({
    scene_id: id,
    title: (after.get(id) ?? before.get(id))?.title['en-US'] ?? '',
  })
  const explain = (id: string) => ({
    ...describe(id),
    reasons: later.flatMap(({ notes }) => notes.changed[id] ?? notes.removed[id] ?? []),
  })
  return {
    from: first.version,
    to: last.version,
    added: changes.added.map(describe),
    removed: changes.removed.map(explain),
    changed: changes.changed.map((id) => ({ ...explain(id), members: listMembers(before.get(id), after.get(id)) })),
  }
}

/** Lists the members in which two scenes differ, with paths such as `facts.weather`. */
function listMembers(one: object | undefined, other: object | undefined, prefix = ''): string[] {
  const [before, after] = [{ ...one } as Record<string, unknown>, { ...other } as Record<string, unknown>]
  return Object.keys(after).flatMap((name) => {
    const [value, next] = [before[name], after[name]]
    if (JSON.stringify(value) === JSON.stringify(next)) return []
    return isPlain(value) && isPlain(next) ? listMembers(value, next, `${prefix}${name}.`) : [`${prefix}${name}`]
  })
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
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
