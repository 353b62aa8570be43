import type { DiaryVersion } from './diary-versions.js'
import type { Scene, SceneLibrary } from './scenes.js'

/** Returns the scene IDs that differ between two versions, in file order. */
export function compareLibraries(older: readonly Scene[], newer: readonly Scene[]) {
  const before = new Map(older.map((scene) => [scene.scene_id, JSON.stringify(scene)]))
  const after = new Map(newer.map((scene) => [scene.scene_id, JSON.stringify(scene)]))
  const added = [...after.keys()].filter((id) => !before.has(id))
  return {
    added,
    removed: [...before.keys()].filter((id) => !after.has(id)),
    changed: [...after.keys()].filter((id) => !added.includes(id) && before.get(id) !== after.get(id)),
  }
}

/** A scene that differs. `members` changed, such as `facts.weather`; `reasons` are in the order of versions. */
export interface SceneDifference {
  readonly scene_id: string
  readonly title: string
  readonly members?: readonly string[]
  readonly reasons?: readonly string[]
}

export interface LibraryComparison extends Record<'added' | 'removed' | 'changed', readonly SceneDifference[]> {
  readonly from: DiaryVersion
  readonly to: DiaryVersion
}

/**
 * Compares `first` with the last of `later`, which are all versions after the first in order. The reasons are those of the
 * versions' notes.
 */
export function explainChanges(first: SceneLibrary, later: readonly SceneLibrary[]): LibraryComparison {
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
