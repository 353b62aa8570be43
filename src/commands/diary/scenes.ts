import { readSceneLibrary } from '../../catalog/diary.js'
import { isJsonObject } from '../../insight/json-object.js'
import type { DateRule } from '../../media/dates.js'
import { type DiaryVersion, defaultDiaryVersion, diaryVersions } from '../../media/diary-versions.js'
import type { Species } from '../../media/poses.js'
import { fitsSpecies, presentLibrary, type Scene, type SceneLibrary, sceneCategories } from '../../media/scenes.js'
import { createPaint, type Paint } from '../../runtime/style.js'
import { count, toJsonText } from '../../text/words.js'
import type { CommandResult } from '../command.js'

export interface ScenesOptions {
  readonly version: DiaryVersion
  readonly species?: Species
  readonly category?: Scene['category']
}

/** `svc diary scenes`: prints the scenes of a version, for people or as the response of the endpoint. */
export function runScenes({ version, species, category }: ScenesOptions, json: boolean): CommandResult {
  const library = readSceneLibrary(version)
  const scenes = library.scenes.filter(
    (scene) =>
      (species === undefined || fitsSpecies(scene, species)) && (category === undefined || scene.category === category),
  )
  const shown = { ...library, scenes }
  process.stdout.write(
    json ? `${toJsonText(presentLibrary(shown))}\n` : renderScenes(shown, createPaint(process.stdout)),
  )
  return 0
}

/** Renders the scenes for people, by category. */
function renderScenes({ version, released, notes, scenes }: SceneLibrary, paint: Paint): string {
  const width = Math.max(...scenes.map(({ scene_id: id }) => id.length))
  const blocks = sceneCategories.flatMap((category) => {
    const rows = scenes.filter((scene) => scene.category === category)
    if (rows.length === 0) return []
    const lines = rows.map(({ scene_id: id, species, recommended_pose: pose, title, date_rule: rule }) => {
      const when = rule === null ? '' : `  (${describeRule(rule)})`
      return `  ${id.padEnd(width)}  ${species.padEnd(3)}  ${pose.padEnd(7)}  ${title['en-US']}${when}`
    })
    return [`${paint('bold', category)}  ${rows.length}`, ...lines, '']
  })
  const isDefault = version === defaultDiaryVersion ? ', the default' : ''
  return [
    `${paint('bold', version)}  released ${released}${isDefault}: ${count(scenes.length, 'scene')}`,
    notes.why,
    '',
    ...blocks,
  ].join('\n')
}

/** Renders a rule as `fourth Thursday of November` or `November 11`. */
function describeRule(rule: DateRule): string {
  const month = monthName.format(Date.UTC(2000, rule.month - 1))
  const since = rule.from_year === undefined ? '' : `, from ${rule.from_year}`
  if (rule.kind === 'fixed') return `${month} ${rule.day}${since}`
  const weekday = `${rule.weekday.slice(0, 1).toUpperCase()}${rule.weekday.slice(1)}`
  if (rule.kind === 'last_weekday') return `last ${weekday} of ${month}${since}`
  const day = `${ordinals[rule.nth - 1]} ${weekday} of ${month}${since}`
  return rule.plus_days === undefined ? day : `${count(rule.plus_days, 'day')} after the ${day}`
}

const ordinals = ['first', 'second', 'third', 'fourth']
const monthName = new Intl.DateTimeFormat('en-US', { month: 'long', timeZone: 'UTC' })

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
function renderComparison({ from, to, added, removed, changed }: LibraryComparison, paint: Paint): string {
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
interface SceneDifference {
  readonly scene_id: string
  readonly title: string
  readonly members?: readonly string[]
  readonly reasons?: readonly string[]
}

type LibraryComparison = ReturnType<typeof explainChanges>

/**
 * Compares `first` with the last of `later`, which are all versions after the first in order. The reasons are those of the
 * versions' notes.
 */
function explainChanges(first: SceneLibrary, later: readonly SceneLibrary[]) {
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
    return isJsonObject(value) && isJsonObject(next)
      ? listMembers(value, next, `${prefix}${name}.`)
      : [`${prefix}${name}`]
  })
}
