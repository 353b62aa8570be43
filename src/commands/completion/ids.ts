import type { Suggestion } from './option-with-choices.js'

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
