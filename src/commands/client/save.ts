import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Transport } from '../../client/transport.js'
import { SvcError } from '../../errors.js'
import { reasonOf } from '../../runtime/reason.js'
import { listUnits, type TaskRecord } from './resources.js'

const endings: Readonly<Record<string, string>> = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/webp': 'webp' }

/** Saves every file of a task in a folder, named by its pose or scene. Returns the paths by pose or scene. */
export async function saveFiles(
  task: TaskRecord,
  folder: string,
  transport: Transport,
): Promise<Record<string, string[]>> {
  await attempt(folder, () => mkdir(folder, { recursive: true }))
  const saved: Record<string, string[]> = {}
  for (const [name, { generated_url, webp_url, mp4_url }] of listUnits(task)) {
    // The name becomes a file name: what a server sends must not lead out of the folder.
    const fileName = name.replaceAll(/[^\w-]/g, '_')
    const paths: string[] = []
    for (const url of [generated_url, webp_url, mp4_url]) {
      if (url) paths.push(await save(fileName, url, folder, transport))
    }
    if (paths.length > 0) saved[name] = paths
  }
  return saved
}

async function save(name: string, url: string, folder: string, transport: Transport): Promise<string> {
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
