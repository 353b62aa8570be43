import { existsSync } from 'node:fs'
import { withStore } from '../app/storage/open-store.js'
import { formatBudget } from '../config/money.js'
import { type Config, loadConfig } from '../config.js'
import { createKey, endpointGroups, modelAliases, readKeyId } from '../contract/access.js'
import { SvcError } from '../errors.js'
import type { ApiKey } from '../ports/keys.js'
import type { Store } from '../ports/store.js'
import { type DataDir, deleteLocalKey, describeDataDir, draftLocalKey } from '../runtime/data-dir.js'
import { programName } from '../runtime/program-name.js'
import { findStdoutWidth } from '../runtime/style.js'
import { type Column, renderTable } from '../text/table.js'
import { parseDurationMs } from '../text/time.js'
import { findLocalKeyOf, localKeyFolderOf } from './client/find-key.js'
import { printAnswer } from './client/run.js'
import { type CommandModule, requirePerson } from './command.js'
import { addSettingOptions, readSettings, type SettingFlags } from './key/settings.js'
import { addStorageOptions, type PrintFlags } from './storage-options.js'

export const register: CommandModule['register'] = (program, finish) => {
  const key = program
    .command('key')
    .description('Create, list, revoke and rotate API keys.')
    .addHelpText('after', '\nExample:\n  svc key create --name ci --endpoints models\n')
  const declare = (usage: string, summary: string, example: string) =>
    key
      .command(usage)
      .description(summary)
      .use(addStorageOptions)
      .option('--json', 'print one JSON document')
      .addHelpText('after', `\nExample:\n  ${example}\n`)

  declare('create', 'Create a key, which is shown once.', 'svc key create --name ci --endpoints models')
    .use(addSettingOptions)
    .option('--keep', 'store it in the data directory, where commands without --key find it')
    .action(async (flags: PrintFlags & SettingFlags & { readonly keep?: true }) => {
      const name = flags.name ?? (await requireName())
      const config = loadConfig(flags)
      const { expiresMs, ...settings } = readSettings({ ...flags, name })
      const folder = flags.keep && requireKeyFolder(config)
      const isNew = config.database === '' && !existsSync(describeDataDir(config.dataDir).database)
      const made = await withStore(config, { mayCreate: true }, async (store, now) => {
        const expiresAt = expiresMs === null ? null : new Date(now.getTime() + expiresMs)
        const { key, text } = createKey({ ...settings, expiresAt }, now)
        if (folder) await insertAndKeep(config, folder, store, key, text)
        else await store.insertKey(key)
        return { key, text, now }
      })
      if (isNew) process.stderr.write(`svc: ${config.dataDir} is a new data directory; no server uses it yet.\n`)
      finish(printNewKey(flags, made, folder))
    })

  declare('list', 'List all keys, including revoked and expired ones.', 'svc key list').action(
    async (flags: PrintFlags) => {
      const list = async (store: Store, now: Date) => ({ keys: await store.listKeys(), now })
      const { keys, now } = await withStore(loadConfig(flags), { mayCreate: false }, list)
      const lines = keys.length === 0 ? ['There is no key yet.'] : listKeys(keys, now, findStdoutWidth())
      finish(printAnswer(flags, { keys: keys.map((key) => presentKey(key, now)) }, lines))
    },
  )

  declare(
    'revoke <id>',
    'Revoke a key. A running server rejects it within a second.',
    'svc key revoke key_01JCX…',
  ).action(async (id: string, flags: PrintFlags) => {
    const config = loadConfig(flags)
    const { revoked, now } = await withStore(config, { mayCreate: false }, async (store, now) => {
      await getKey(store, id)
      await store.revokeKey(id, now)
      return { revoked: await getKey(store, id), now }
    })
    const folder = findFolderOf(config, id)
    if (folder !== undefined) deleteLocalKey(folder)
    finish(printAnswer(flags, presentKey(revoked, now), [describeKey(revoked, now)]))
  })

  declare(
    'rotate <id>',
    'Replace a key by a new one with the same permissions.',
    'svc key rotate key_01JCX… --overlap 1h',
  )
    .option('--overlap <time>', 'how long the old key stays valid, such as 30m or 1h', '0s')
    .action(async (id: string, flags: PrintFlags & { readonly overlap: string }) => {
      const config = loadConfig(flags)
      const overlapMs = parseDurationMs(flags.overlap, '--overlap')
      const folder = findFolderOf(config, id)
      const made = await withStore(config, { mayCreate: false }, async (store, now) => {
        const endsAt = new Date(now.getTime() + overlapMs)
        const old = await getKey(store, id)
        requireActive(old, now)
        const { key, text } = createKey(old, now, id)
        await storeAndKeep(folder, text, () => store.replaceKey(id, endsAt, key))
        return { key, text, now }
      })
      finish(printNewKey(flags, made, folder))
    })
}

/** Prints a new key with its text, which is not available later, and the folder that also keeps it. */
function printNewKey(
  flags: PrintFlags,
  { key, text, now }: { readonly key: ApiKey; readonly text: string; readonly now: Date },
  folder: DataDir | undefined,
): 0 {
  const document = { id: key.id, name: key.name, key: text, ...presentKey(key, now) }
  const kept = folder === undefined ? ' and not stored' : `; ${folder.localKey} has it too`
  return printAnswer(flags, document, [describeKey(key, now), `The key is shown once${kept}:`, `  ${text}`])
}

/** Inserts a key and stores its text in the data directory, unless an active key is stored there. */
async function insertAndKeep(config: Config, folder: DataDir, store: Store, key: ApiKey, text: string): Promise<void> {
  const keptId = readKeyId(findLocalKeyOf(config) ?? '')
  const kept = keptId === undefined ? undefined : await store.findKey(keptId)
  if (kept !== undefined && stateOf(kept, new Date(store.now())) === 'active') {
    const message = `${folder.localKey} has an active key, ${kept.id}: omit --keep, or revoke that key first.`
    throw new SvcError('conflict', message)
  }
  await storeAndKeep(folder, text, () => store.insertKey(key))
}

/** Runs `store`, which stores the key's row, and then stores its text in the data directory, if there is one. */
async function storeAndKeep(folder: DataDir | undefined, text: string, store: () => Promise<void>): Promise<void> {
  const draft = folder && draftLocalKey(folder, text)
  try {
    await store()
  } catch (error) {
    draft?.discard()
    throw error
  }
  draft?.keep()
}

/** Asks a person at a terminal for the name; a script must give it. */
async function requireName(): Promise<string> {
  requirePerson('--name is missing: name the purpose of the key, such as --name ci.')
  const { askName } = await import('./ask.js')
  return askName()
}

async function getKey(store: Store, id: string): Promise<ApiKey> {
  const key = await store.findKey(id)
  if (key !== undefined) return key
  throw new SvcError('not_found', `There is no key ${JSON.stringify(id)}; ${programName()} key list shows all.`)
}

function requireActive(key: ApiKey, now: Date): void {
  const state = stateOf(key, now)
  if (state !== 'active') {
    throw new SvcError(
      'conflict',
      `The key ${key.id} is already ${state}; create a new one with ${programName()} key create.`,
    )
  }
}

function requireKeyFolder(config: Config): DataDir {
  const folder = localKeyFolderOf(config)
  if (folder !== undefined) return folder
  throw new SvcError('invalid_request', 'With a database, no key is kept in a data directory: omit --keep.')
}

/** Returns the data directory that keeps the text of this key. */
function findFolderOf(config: Config, id: string): DataDir | undefined {
  return readKeyId(findLocalKeyOf(config) ?? '') === id ? localKeyFolderOf(config) : undefined
}

function stateOf({ revokedAt, expiresAt }: ApiKey, now: Date): 'active' | 'revoked' | 'expired' {
  if (revokedAt !== null) return 'revoked'
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'active'
}

/** Returns a key as printed with `--json`. */
function presentKey(key: ApiKey, now: Date): Record<string, unknown> {
  return {
    id: key.id,
    name: key.name,
    state: stateOf(key, now),
    endpoints: key.endpoints ?? endpointGroups,
    models: key.models ?? modelAliases,
    allow: key.capabilities,
    pets: key.pets,
    rate_limit: key.rateLimit,
    budget: key.budget && formatBudget(key.budget),
    admin: key.admin,
    created_at: key.createdAt,
    expires_at: key.expiresAt,
    revoked_at: key.revokedAt,
    replaces: key.replaces,
  }
}

const columns: readonly Column[] = [
  { title: 'id' },
  { title: 'name', isCut: true },
  { title: 'state' },
  { title: 'endpoints', isCut: true },
  { title: 'models', isCut: true },
  { title: 'allow', isLeftOut: true },
  { title: 'pets', isCut: true, isLeftOut: true },
  { title: 'rate', isNumber: true },
  { title: 'budget' },
  { title: 'admin' },
  { title: 'expires', isLeftOut: true },
]

/** Renders keys as a table. On a terminal, leaves out the columns of permissions that no key limits. */
function listKeys(keys: readonly ApiKey[], now: Date, width?: number): string[] {
  const all = (part: 'endpoints' | 'models') =>
    width !== undefined && keys.every((key) => key[part] === null) ? '' : 'all'
  const rows = keys.map((key) => [
    key.id,
    key.name,
    stateOf(key, now),
    key.endpoints?.join(',') ?? all('endpoints'),
    key.models?.join(',') ?? all('models'),
    key.capabilities.join(',') || 'none',
    key.pets?.join(',') ?? '',
    key.rateLimit === 0 ? 'unlimited' : `${key.rateLimit}/min`,
    key.budget === null ? '' : formatBudget(key.budget),
    key.admin ? 'admin' : '',
    key.expiresAt === null ? '' : `${key.expiresAt.toISOString().slice(0, 16)}Z`,
  ])
  return renderTable(columns, rows, width)
}

/** Renders a key as one line. */
function describeKey(key: ApiKey, now: Date): string {
  return [
    key.id,
    key.name,
    stateOf(key, now),
    `endpoints ${key.endpoints?.join(',') ?? 'all'}`,
    `models ${key.models?.join(',') ?? 'all'}`,
    `allow ${key.capabilities.join(',') || 'none'}`,
    key.rateLimit === 0 ? 'unlimited' : `${key.rateLimit}/min`,
    ...(key.pets === null ? [] : [`pets ${key.pets.join(',')}`]),
    ...(key.budget === null ? [] : [`budget ${formatBudget(key.budget)}`]),
    ...(key.admin ? ['admin'] : []),
    ...(key.expiresAt === null ? [] : [`expires ${key.expiresAt.toISOString()}`]),
  ].join('  ')
}
