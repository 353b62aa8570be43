import type { Config } from '../../config.js'
import { type DataDir, describeDataDir } from '../../runtime/data-dir.js'
import { type CheckResult, ok } from './check-result.js'
import { checkFolder, checkSpace } from './data-folder.js'
import { type DataDirPart, dataDirParts } from './file-rights.js'
import { checkDecoder, checkDriver, checkNode } from './machine.js'
import { checkClips, checkPictures } from './media.js'
import { checkPort, checkServers } from './port.js'

/** Checks this machine, independent of the settings. */
export async function checkMachine(): Promise<CheckResult[]> {
  return [checkNode(), await checkDriver(), await checkPictures(), await checkClips()]
}

/** Checks the models, the data directory and the port of the settings. With `fix`, also repairs what it safely can. */
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
  return [...folder, checkSpace(dataDir), ...(await checkContents(config, dataDir, Date.now(), fix, closed))]
}

/** Loads the providers only if the operator has chosen models. */
async function checkProvider(config: Config, now: number): Promise<CheckResult[]> {
  if (config.provider === 'stub') return []
  const { checkModels } = await import('./models.js')
  return checkModels(config, now)
}

/** Checks what the settings name: the contents of the data directory, a database, a bucket. Loads the code of each only then. */
async function checkContents(
  config: Config,
  dataDir: DataDir,
  now: number,
  fix: boolean,
  closed: ReadonlySet<DataDirPart>,
): Promise<CheckResult[]> {
  const results: CheckResult[] = []
  if (config.database !== '') {
    const { checkSharedDatabase } = await import('./shared-storage.js')
    results.push(...(await checkSharedDatabase(config)))
  } else if (closed.size < dataDirParts.length && (await checkDriver()).state === 'ok') {
    const { checkStoredData } = await import('./stored-data.js')
    // The files of a bucket are compared with the rows only to remove some: that may take hours.
    const skipped = config.objects === '' ? closed : new Set<DataDirPart>([...closed, 'objects'])
    results.push(...(await checkStoredData(dataDir, now, fix, skipped)))
  }
  if (config.objects !== '') {
    const { checkSharedObjects } = await import('./shared-storage.js')
    results.push(...(await checkSharedObjects(config)))
  }
  const isShared = config.database !== '' || config.objects !== ''
  const isUsable = !results.some(({ state }) => state === 'problem')
  if (isShared && fix && isUsable && !closed.has('objects')) {
    const { removeOrphans } = await import('./shared-orphans.js')
    results.push(await removeOrphans(config, now))
  }
  return results
}
