import type { Argument, Command, Option } from 'commander'

/** A word that shells complete, alone or with its description. */
export type Suggestion = string | readonly [word: string, description: string]

/** The words themselves, or a function that reads them when a shell asks. */
export type Suggestions = readonly Suggestion[] | (() => Promise<readonly Suggestion[]>)

interface Suggesting {
  readonly suggested?: Suggestions
}

/** Has shells complete the value of an option or argument with `choices`. Its command checks the value, which may also be a list. */
export function withChoices<Value extends Option | Argument>(value: Value, choices: Suggestions): Value {
  return Object.assign(value, { suggested: choices } satisfies Suggesting)
}

/**
 * Adds such an option to its command, which creates it: an import of commander would add it to every bundle with such an
 * option.
 */
export function addChoices(command: Command, flags: string, description: string, choices: Suggestions): void {
  command.addOption(withChoices(command.createOption(flags, description), choices))
}

/** Returns the words for a value; undefined if the shell is to find names of files. */
export async function findChoices(
  value: ((Option | Argument) & Suggesting) | undefined,
): Promise<readonly Suggestion[] | undefined> {
  const suggested = value?.suggested
  return typeof suggested === 'function' ? suggested() : (suggested ?? value?.argChoices)
}

/** Lists the scenes of the library with their names. */
export async function listSceneIds(): Promise<readonly Suggestion[]> {
  const [{ readSceneLibrary }, { defaultDiaryVersion }] = await Promise.all([
    import('../../catalog/diary.js'),
    import('../../media/diary-versions.js'),
  ])
  return readSceneLibrary(defaultDiaryVersion).scenes.map(({ scene_id, title }) => [scene_id, title['en-US']])
}

/** Lists the scenarios with their conditions. */
export async function listScenarioIds(): Promise<readonly Suggestion[]> {
  const { scenarios } = await import('../../insight/scenarios.js')
  return scenarios.map(({ id, condition }) => [id, condition])
}

/** Lists the texts of `catalog/insight/`: every scenario with its condition, then the parts of sentences. */
export async function listTextIds(): Promise<readonly Suggestion[]> {
  const { readInsightTexts } = await import('../../catalog/catalog.js')
  const known = await listScenarioIds()
  const ids = new Set(known.map(([id]) => id))
  const parts = Object.keys(readInsightTexts().files).filter((id) => !ids.has(id))
  return [...known, ...parts]
}
