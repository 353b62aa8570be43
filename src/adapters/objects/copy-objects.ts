import { createHash } from 'node:crypto'
import { SvcError } from '../../errors.js'
import type { ObjectStore, StoredObject } from '../../ports/objects.js'

const prefix = 'ai-gateway/'
const objectsAtOnce = 8
/** The first objects of the target that must be objects of the source. */
const objectsCompared = 1000

export interface CopiedObjects {
  readonly objects: number
  readonly sizeBytes: number
}

/** Throws `conflict` if the target holds objects that are not of the source. */
export async function requireSameObjects(source: ObjectStore, target: ObjectStore): Promise<void> {
  let compared = 0
  for await (const { key } of target.list(prefix)) {
    if ((await source.findHead(key)) === undefined) {
      throw new SvcError('conflict', `The target holds files of another service already, such as ${key}.`)
    }
    compared += 1
    if (compared === objectsCompared) return
  }
}

/**
 * Copies all objects, and reads each back to compare its hash. Those that are there already are compared only, and copied
 * again if they differ. Throws `unavailable` with the key of an object whose copy differs.
 */
export async function copyObjects(
  source: ObjectStore,
  target: ObjectStore,
  report: (sizeBytes: number) => void,
): Promise<CopiedObjects> {
  const total = { objects: 0, sizeBytes: 0 }
  await forEach(source.list(prefix), async ({ key }) => {
    const bytes = await source.get(key)
    await copyOne(target, key, bytes)
    total.objects += 1
    total.sizeBytes += bytes.length
    report(bytes.length)
  })
  const copied = { objects: 0, sizeBytes: 0 }
  for await (const { sizeBytes } of target.list(prefix)) {
    copied.objects += 1
    copied.sizeBytes += sizeBytes
  }
  if (copied.objects === total.objects && copied.sizeBytes === total.sizeBytes) return total
  const counts = `${copied.objects} files with ${copied.sizeBytes} bytes in place of ${total.objects} with ${total.sizeBytes}`
  throw new SvcError('conflict', `The target lists ${counts}: something else writes to it.`)
}

async function copyOne(target: ObjectStore, key: string, bytes: Buffer): Promise<void> {
  const isCopied = async () => hash(await target.get(key)) === hash(bytes)
  const head = await target.findHead(key)
  if (head?.sizeBytes === bytes.length && (await isCopied())) return
  await target.put(key, bytes)
  if (await isCopied()) return
  throw new SvcError('unavailable', `The copy of ${key} differs from its source. Run the command again.`)
}

const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** Works on several objects at once. After an error, no other is begun. */
async function forEach(
  objects: AsyncIterable<StoredObject>,
  work: (object: StoredObject) => Promise<void>,
): Promise<void> {
  const iterator = objects[Symbol.asyncIterator]()
  let isOver = false
  const loop = async () => {
    while (!isOver) {
      const { value, done } = await iterator.next()
      if (done === true) return
      await work(value)
    }
  }
  const loops = Array.from({ length: objectsAtOnce }, () =>
    loop().catch((error: unknown) => {
      isOver = true
      throw error
    }),
  )
  const errors = (await Promise.allSettled(loops)).filter((result) => result.status === 'rejected')
  if (errors[0] !== undefined) throw errors[0].reason
}
