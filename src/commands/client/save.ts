import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Transport } from '../../client/transport.js'
import { SvcError } from '../../errors.js'
import { reasonOf } from '../../runtime/reason.js'
import { listUnits, type ShownUnit, type TaskRecord } from './resources.js'

/** A file of a task: its name and URL. */
interface TaskFile {
  readonly name: string
  readonly url: string
}

const endings: Readonly<Record<string, string>> = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/webp': 'webp' }

/** Saves every file of a task in a folder, named by its pose or scene. Returns the paths by pose or scene. */
export async function saveFiles(
  task: TaskRecord,
  folder: string,
  transport: Transport,
): Promise<Record<string, string[]>> {
  await attempt(folder, () => mkdir(folder, { recursive: true }))
  const saved: Record<string, string[]> = {}
  for (const [name, unit] of listUnits(task)) {
    const paths: string[] = []
    for (const file of listFiles(name, unit)) paths.push(await save(file, folder, transport))
    if (paths.length > 0) saved[name] = paths
  }
  return saved
}

function listFiles(unitName: string, unit: ShownUnit): TaskFile[] {
  // The name becomes a file name: what a server sends must not lead out of the folder.
  const name = unitName.replaceAll(/[^\w-]/g, '_')
  const urls = [unit.generated_url, unit.webp_url, unit.mp4_url]
  return urls.flatMap((url) => (url ? [{ name, url }] : []))
}

async function save({ name, url }: TaskFile, folder: string, transport: Transport): Promise<string> {
  const { status, headers, bytes } = await transport.open(url)
  if (status < 200 || status >= 300) {
    throw new SvcError('unavailable', `The file of ${name} could not be fetched: the server answered ${status}.`)
  }
  const type = headers.get('content-type') ?? ''
  const path = join(folder, `${name}.${type === 'video/mp4' ? 'mp4' : (endings[type] ?? 'bin')}`)
  const draft = `${path}.${process.pid}.partial`
  await attempt(path, async () => {
    await writeFile(draft, bytes)
    await rename(draft, path)
  }).catch(async (error) => {
    await rm(draft, { force: true })
    throw error
  })
  return path
}

async function attempt<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    throw new SvcError('invalid_request', `${path} cannot be written: ${reasonOf(cause)}.`, { cause })
  }
}
