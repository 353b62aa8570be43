import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Entry } from './log.js'
import { StoredFile } from './stored-file.js'

/**
 * The result of a power loss.
 * - `strict`: only what was synced: content by a sync of the file, names by a sync of their folder.
 * - `torn`: also a random part of the blocks and names that were not synced.
 * - `names`: all content, but only the synced names.
 */
export type Loss = 'strict' | 'torn' | 'names'

type Names = Map<string, Folder | StoredFile>

class Folder {
  readonly names: Names = new Map()
  readonly durable: Names = new Map()
}

interface NamePart {
  readonly folder: Folder
  readonly name: string
  /** Undefined if the name is removed. */
  readonly node: Folder | StoredFile | undefined
}

/** A change of names that no sync of its folder has covered yet. A rename has two parts, and happens as a whole. */
interface NameChange {
  readonly sequence: number
  readonly folder: Folder
  readonly parts: readonly NamePart[]
}

/** The files below a folder, as the changes of the log leave them. The folder itself is durable. */
export class Disk {
  readonly #path: string
  readonly #root = new Folder()
  readonly #files = new Map<number, StoredFile>()
  readonly #syncs = new Map<bigint, number>()
  #changes: NameChange[] = []
  #sequence = 0

  constructor(path: string) {
    this.#path = path
  }

  apply({ kind, path, inode, number, data }: Entry): void {
    const sequence = this.#sequence++
    switch (kind) {
      case 'open':
        // The system uses the inode of a deleted file again.
        if (this.#find(path) === undefined) {
          const file = new StoredFile()
          this.#files.set(inode, file)
          this.#rename(sequence, path, file)
        }
        if (number === 1n) this.#getFile(inode, path).add({ sequence, offset: 0 })
        break
      case 'write':
        this.#getFile(inode, path).add({ sequence, offset: Number(number), data })
        break
      case 'resize':
        this.#getFile(inode, path).add({ sequence, offset: Number(number) })
        break
      case 'sync begin':
        this.#syncs.set(number, sequence)
        break
      case 'sync end':
        this.#sync(this.#find(path) ?? this.#files.get(inode), this.#syncs.get(number) ?? 0)
        break
      case 'rename':
        this.#rename(sequence, data.toString(), this.#get(path), path)
        break
      case 'link':
        this.#rename(sequence, data.toString(), this.#get(path))
        break
      case 'mkdir':
        this.#rename(sequence, path, new Folder())
        break
      default:
        this.#rename(sequence, path, undefined)
    }
  }

  /** Returns the content of a file as the running program sees it, or undefined if there is no such file. */
  read(path: string): Buffer | undefined {
    const node = this.#find(path)
    return node instanceof StoredFile ? node.readAll() : undefined
  }

  /** Writes the files that remain after a power loss at this moment to a new folder. */
  writeAfter(loss: Loss, target: string, random: () => number): void {
    const names = new Map<Folder, Names>()
    const namesOf = (folder: Folder) => {
      const found = names.get(folder) ?? new Map(folder.durable)
      names.set(folder, found)
      return found
    }
    if (loss === 'torn') {
      for (const { parts } of this.#changes)
        if (random() < 0.5) for (const part of parts) change(namesOf(part.folder), part)
    }
    const readers = {
      strict: (file: StoredFile) => file.readDurable(),
      torn: (file: StoredFile) => file.readTorn(random),
      names: (file: StoredFile) => file.readAll(),
    }
    write(this.#root, target, namesOf, readers[loss])
  }

  #find(path: string): Folder | StoredFile | undefined {
    let node: Folder | StoredFile | undefined = this.#root
    for (const name of path.slice(this.#path.length).split('/').filter(Boolean)) {
      node = node instanceof Folder ? node.names.get(name) : undefined
    }
    return node
  }

  #get(path: string): Folder | StoredFile {
    const node = this.#find(path)
    if (node === undefined) throw new Error(`the log has not named ${path} before`)
    return node
  }

  #getFile(inode: number, path: string): StoredFile {
    const file = this.#files.get(inode)
    if (file === undefined) throw new Error(`the log has not opened ${path} before`)
    return file
  }

  /** Names a node, or removes the name if `node` is undefined; `from` is the name that it had. */
  #rename(sequence: number, path: string, node: Folder | StoredFile | undefined, from?: string): void {
    const toPart = (path: string, node: NamePart['node']): NamePart => {
      const folder = this.#get(dirname(path))
      if (!(folder instanceof Folder)) throw new Error(`${dirname(path)} is not a folder`)
      return { folder, name: basename(path), node }
    }
    const part = toPart(path, node)
    const parts = from === undefined ? [part] : [toPart(from, undefined), part]
    for (const part of parts) change(part.folder.names, part)
    this.#changes.push({ sequence, folder: part.folder, parts })
  }

  #sync(node: Folder | StoredFile | undefined, sequence: number): void {
    if (node instanceof Folder) this.#syncNames(node, sequence)
    else node?.sync(sequence)
  }

  #syncNames(folder: Folder, sequence: number): void {
    const isSynced = (change: NameChange) => change.folder === folder && change.sequence < sequence
    const synced = this.#changes.filter(isSynced)
    for (const { parts } of synced) for (const part of parts) change(part.folder.durable, part)
    // A synced rename also settles the earlier changes of the name in the other folder.
    const isSettled = (earlier: NameChange) =>
      synced.some(
        (later) =>
          later.sequence > earlier.sequence &&
          later.parts.some((part) =>
            earlier.parts.some(({ folder, name }) => folder === part.folder && name === part.name),
          ),
      )
    this.#changes = this.#changes.filter((change) => !isSynced(change) && !isSettled(change))
  }
}

function change(names: Names, { name, node }: NamePart): void {
  if (node === undefined) names.delete(name)
  else names.set(name, node)
}

function write(
  folder: Folder,
  target: string,
  namesOf: (folder: Folder) => Names,
  read: (file: StoredFile) => Buffer,
): void {
  mkdirSync(target, { mode: 0o700 })
  for (const [name, node] of namesOf(folder)) {
    // SQLite makes this file again, and writes it through mapped memory, which the log does not show.
    if (name.endsWith('-shm')) continue
    const path = join(target, name)
    if (node instanceof Folder) write(node, path, namesOf, read)
    else writeFileSync(path, read(node), { mode: 0o600 })
  }
}
