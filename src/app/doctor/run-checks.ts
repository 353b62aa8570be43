import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { noFfmpeg } from '../../adapters/clips/find-ffmpeg.js'
import type { Config } from '../../config.js'
import { isSvcError } from '../../errors.js'
import { type DataDir, describeDataDir } from '../../runtime/data-dir.js'
import { shippedUrl } from '../../runtime/entry.js'
import { findRefusal, findVersion } from '../../runtime/port-refusal.js'
import { nodeRange } from '../../runtime/program-name.js'
import { listRunningServers } from '../../runtime/running-servers.js'
import { count } from '../../text/words.js'
import { findClipDecoder } from '../clip-loops.js'
import { type CheckResult, describeProxy, note, ok, problem, reasonIn } from './check-result.js'
import { checkFolder, checkSpace, type DataDirPart } from './data-folder.js'

/** Checks this machine, independent of the settings. */
export async function checkMachine(): Promise<CheckResult[]> {
  return [checkNode(), await checkDriver(), await checkPictures(), await checkClips()]
}

/** Checks the models, the data directory and the port of the settings. With `fix`, also restricts permissions. */
export async function checkService(config: Config, fix: boolean): Promise<CheckResult[]> {
  return [
    checkDecoder(config),
    ok('settings', `provider ${config.provider}, environment ${config.environment}`),
    ...(config.retentionDays === null
      ? []
      : [ok('retention', `a service prunes finished work after ${count(config.retentionDays, 'day')}`)]),
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
      const { checkDatabase, findProxyNotice } = await import('./folder-database.js')
      results.push(...checkDatabase(dataDir, Date.now()))
      if (!closed.has('log')) results.push(...describeProxy(config, await findProxyNotice(dataDir)))
    }
  }
  if (config.objects !== '') {
    const { checkSharedObjects } = await import('./shared-storage.js')
    results.push(...(await checkSharedObjects(config)))
  }
  return results
}

/** Names the version of Node; bin/svc.js refuses an older one. */
function checkNode(): CheckResult {
  return ok('node', `Node.js ${process.versions.node} (${nodeRange.slice(2)} or newer is needed)`)
}

/** Loads the driver of SQLite, whose binary fits one version of Node. */
async function checkDriver(): Promise<CheckResult> {
  try {
    await import('../../adapters/sql/sqlite/driver.js')
    return ok('sqlite', 'the driver of SQLite is loaded')
  } catch (error) {
    if (!isSvcError(error)) throw error
    return problem('sqlite', error.message, 'Or use the Node with which svc was installed.')
  }
}

/** Checks the decoder for clips of real models, which the built-in provider does not need. */
function checkDecoder(config: Config): CheckResult {
  const ffmpeg = findClipDecoder(config)
  if (ffmpeg === undefined) return note('decoder', `${noFfmpeg} The built-in provider does not need it.`)
  // A busy machine that reads it from a slow disk for the first time needs several seconds.
  const { stdout, status } = spawnSync(ffmpeg, ['-version'], { encoding: 'utf8', timeout: 30_000 })
  if (status === 0) return ok('decoder', stdout.split('\n')[0]?.replace(/ Copyright.*/, '') ?? '')
  return problem('decoder', `${ffmpeg} does not run.`, 'Reinstall ffmpeg, or name another one in FFMPEG_PATH.')
}

/** The clocks of two machines that share a disk differ by less. */
const toleranceMs = 120_000

/** Checks that the clock shows no time before the build of this program, and has not jumped while this command ran. */
function checkClock(now = Date.now()): CheckResult {
  const adjust = 'Set the clock of the machine (timedatectl set-ntp true).'
  const drift = now - (performance.timeOrigin + performance.now())
  if (Math.abs(drift) > toleranceMs) {
    return problem('clock', `The clock jumped by ${Math.round(drift / 1000)} s while this command ran.`, adjust)
  }
  const built = statSync(fileURLToPath(shippedUrl('package.json')), { throwIfNoEntry: false })?.mtimeMs ?? 0
  if (built - now > toleranceMs) {
    const message = `The clock says ${new Date(now).toISOString()}, and svc here is from ${new Date(built).toISOString()}.`
    return problem('clock', message, `${adjust} Leases, expiries and signed URLs depend on it.`)
  }
  return ok('clock', new Date(now).toISOString())
}

const reinstall =
  'Install svc again on this machine: npm ci (or npm install), without --ignore-scripts and --omit=optional.'

/** Checks that pictures can be drawn and encoded in each output format, and that there are fonts. */
async function checkPictures(): Promise<CheckResult> {
  try {
    const { default: sharp } = await import('sharp')
    const draw = (content: string) =>
      sharp(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64">${content}</svg>`))
    const isDrawn = async (content: string) => (await draw(content).stats()).channels.some(({ max }) => max > 0)
    if (!(await isDrawn('<circle cx="32" cy="32" r="20" fill="#fff"/>'))) throw new Error('SVG is not drawn')
    for (const format of ['png', 'jpeg', 'webp'] as const) {
      const bytes = await draw('<rect width="64" height="64" fill="#888"/>').toFormat(format).toBuffer()
      await sharp(bytes).stats()
    }
    const hasFonts = await isDrawn('<text x="8" y="48" font-size="40" fill="#fff">svc</text>')
    const made = `sharp ${sharp.versions.sharp} draws, and writes PNG, JPEG and WebP`
    return hasFonts ? ok('pictures', made) : note('pictures', `${made}. There are no fonts; no picture needs one.`)
  } catch (error) {
    return problem('pictures', `Pictures cannot be drawn: ${reasonIn(error)}.`, reinstall)
  }
}

/** Checks that MP4 clips can be encoded. */
async function checkClips(): Promise<CheckResult> {
  try {
    const { createH264MP4Encoder } = await import('h264-mp4-encoder')
    const encoder = await createH264MP4Encoder()
    try {
      Object.assign(encoder, { width: 32, height: 32, frameRate: 12 })
      encoder.initialize()
      encoder.addFrameRgba(new Uint8Array(32 * 32 * 4))
      encoder.finalize()
      if (encoder.FS.readFile(encoder.outputFilename).length === 0) throw new Error('the file is empty')
    } finally {
      encoder.delete()
    }
    return ok('clips', 'the encoder writes MP4 (H.264)')
  } catch (error) {
    return problem('clips', `MP4 clips cannot be made: ${reasonIn(error)}.`, reinstall)
  }
}

/** Checks that the servers on a data directory answer. */
function checkServers(dataDir: DataDir): Promise<CheckResult[]> {
  return Promise.all(
    listRunningServers(dataDir).map(async ({ url, pid }) => {
      const version = await findVersion(url)
      return version === undefined
        ? note('server', `Process ${pid} serves this data directory on ${url}, and does not answer at the moment.`)
        : ok('server', `svc ${version} serves this data directory on ${url} (process ${pid})`)
    }),
  )
}

/** Checks that a server can listen on its port, or already does. */
async function checkPort({ host, port }: Pick<Config, 'host' | 'port'>): Promise<CheckResult> {
  if (port === 0) return ok('port', 'any that is free')
  const address = `${host.includes(':') ? `[${host}]` : host}:${port}`
  const refusal = await findRefusal(host, port)
  if (refusal === undefined) return ok('port', `${address} is free`)
  if (refusal.version !== undefined) return ok('port', `svc ${refusal.version} runs on ${address}`)
  return problem('port', `${address} cannot be listened on: ${refusal.reason}.`, refusal.fix)
}
