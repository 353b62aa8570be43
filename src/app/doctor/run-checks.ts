import type { Config } from '../../config.js'
import { listLogFiles } from '../../log/folder-log.js'
import { type DataDir, describeDataDir } from '../../runtime/data-dir.js'
import { type CheckResult, ok } from './check-result.js'
import { checkFolder, checkSpace } from './data-folder.js'
import { type DataDirPart, dataDirParts } from './file-rights.js'
import { checkClock, checkDecoder, checkNode } from './machine.js'
import { checkClips, checkPictures } from './media.js'
import { checkPort } from './port.js'
import { checkDatabase, checkKeys, checkObjects } from './stored-data.js'

/** Checks this machine, independent of the settings. */
export async function checkMachine(): Promise<CheckResult[]> {
  return [checkNode(), await checkPictures(), await checkClips()]
}

/** Checks the models, the data directory and the port of the settings. With `fix`, also repairs what it safely can. */
export async function checkService(config: Config, fix: boolean): Promise<CheckResult[]> {
  const dataDir = describeDataDir(config.dataDir)
  const now = Date.now()
  const { results: folder, closed } = checkFolder(dataDir, now, fix)
  return [
    checkDecoder(config),
    ok('settings', `provider ${config.provider}, environment ${config.environment}`),
    ...(await checkProvider(config, now)),
    ...folder,
    checkSpace(dataDir),
    ...(closed.size === dataDirParts.length ? [] : checkContents(dataDir, now, fix, closed)),
    await checkPort(config),
  ]
}

/** Loads the providers only if the operator has chosen models. */
async function checkProvider(config: Config, now: number): Promise<CheckResult[]> {
  if (config.provider === 'stub') return []
  const { checkModels } = await import('./models.js')
  return checkModels(config, now)
}

function checkContents(dataDir: DataDir, now: number, fix: boolean, closed: ReadonlySet<DataDirPart>): CheckResult[] {
  const { results, newestAt, activeKeys } = closed.has('database')
    ? { results: [], newestAt: 0 }
    : checkDatabase(dataDir, now)
  const logs = closed.has('logs') ? [] : listLogFiles(dataDir.logs)
  const clock = checkClock([dataDir.database, ...logs], newestAt)
  // Without a readable database, its keys and files are unknown.
  if (activeKeys === undefined) return [clock, ...results]
  return [
    clock,
    ...results,
    ...checkKeys(dataDir, activeKeys, closed),
    ...(closed.has('objects') ? [] : checkObjects(dataDir, now, fix)),
  ]
}
