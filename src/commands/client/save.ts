import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Transport } from '../../client/transport.js'
import { SvcError } from '../../errors.js'
import { reasonOf } from '../input/reason.js'
import { listUnits, type TaskRecord, type UnitResult } from './resources.js'

/** A file of a task: what it is called and where it is to be had. */
interface Source {
  readonly name: string
  readonly url: string
}

const endings: Readonly<Record<string, string>> = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/webp': 'webp' }

/** Saves every file of a task into a folder, each under its pose, and gives their paths. Throws what cannot be done. */
export async function saveFiles(
  task: TaskRecord,
  folder: string,
  transport: Transport,
): Promise<Record<string, string[]>> {
  await attempt(folder, () => mkdir(folder, { recursive: true }))
  const saved: Record<string, string[]> = {}
  for (const [pose, image] of listUnits(task)) {
    const paths: string[] = []
    for (const source of listSources(pose, image)) paths.push(await save(source, folder, transport))
    if (paths.length > 0) saved[pose] = paths
  }
  return saved
}

function listSources(pose: string, image: UnitResult): Source[] {
  // A pose names a file: nothing that a server may send in its place leads out of the folder.
  const name = pose.replaceAll(/[^\w-]/g, '_')
  const urls = [image.generated_url, image.webp_url, image.mp4_url]
  return urls.flatMap((url) => (url ? [{ name, url }] : []))
}

async function save({ name, url }: Source, folder: string, transport: Transport): Promise<string> {
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
