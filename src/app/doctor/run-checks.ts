import type { Config } from '../../config.js'
import { type DataDir, describeDataDir } from '../../runtime/data-dir.js'
import { type CheckResult, ok } from './check-result.js'
import { checkFolder, checkSpace } from './data-folder.js'
import type { DataDirPart } from './file-rights.js'
import { checkClock, checkDecoder, checkDriver, checkNode } from './machine.js'
import { checkClips, checkPictures } from './media.js'
import { checkPort, checkServers } from './port.js'

/** Checks this machine, independent of the settings. */
export async function checkMachine(): Promise<CheckResult[]> {
  return [checkNode(), await checkDriver(), await checkPictures(), await checkClips()]
}

/** Checks the models, the data directory and the port of the settings. With `fix`, also restricts permissions. */
export async function checkService(config: Config, fix: boolean): Promise<CheckResult[]> {
  return [
    checkDecoder(config),
    ok('settings', `provider ${config.provider}, environment ${config.environment}`),
    ...(await checkProvider(config, Date.now())),
    ...(await checkPlace(config, fix)),
    ...(await checkServers(describeDataDir(config.dataDir))),
    await checkPort(config),
  ]
}

/** Checks the data directory, and the database and the bucket in its place. */
export async function checkPlace(config: Config, fix: boolean): Promise<CheckResult[]> {
  const dataDir = describeDataDir(config.dataDir)
  const { results: folder, closed } = checkFolder(dataDir, fix)
  return [...folder, checkSpace(dataDir), ...(await checkStorage(config, dataDir, closed))]
}

/** Loads the providers only if the operator has chosen models. */
async function checkProvider(config: Config, now: number): Promise<CheckResult[]> {
  if (config.provider === 'stub') return []
  const { checkModels } = await import('./models.js')
  return checkModels(config, now)
}

/** Checks the database and the bucket of the settings, or that of the data directory. Loads the code of each only then. */
async function checkStorage(
  config: Config,
  dataDir: DataDir,
  closed: ReadonlySet<DataDirPart>,
): Promise<CheckResult[]> {
  const results: CheckResult[] = []
  if (config.database !== '') {
    const { checkSharedDatabase } = await import('./shared-storage.js')
    results.push(...(await checkSharedDatabase(config)))
  } else {
    results.push(checkClock())
    if (!closed.has('database') && (await checkDriver()).state === 'ok') {
      const { checkDatabase } = await import('./folder-database.js')
      results.push(...checkDatabase(dataDir, Date.now()))
    }
  }
  if (config.objects !== '') {
    const { checkSharedObjects } = await import('./shared-storage.js')
    results.push(...(await checkSharedObjects(config)))
  }
  return results
}
