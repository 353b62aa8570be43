import { resolve } from 'node:path'
import { listWords, quote } from '../text/spelling.js'

/** The flags of the settings, as commander names them. */
export type SettingFlag =
  | 'host'
  | 'port'
  | 'dataDir'
  | 'database'
  | 'objects'
  | 'provider'
  | 'config'
  | 'role'
  | 'metricsPort'

/** A setting, read from a flag or an environment variable. */
export interface Setting<T> {
  readonly flag?: SettingFlag
  readonly variable: string
  /** A variable of other programs that is read if `variable` is not set. */
  readonly otherVariable?: string
  /** A variable with which `otherVariable` belongs to something else, and is not read. */
  readonly otherUnless?: string
  readonly fallback: string
  /** Returns undefined if `text` is invalid. */
  readonly parse: (text: string) => T | undefined
  readonly expected: string
  /** True if no message may repeat the text. */
  readonly isSecret?: true
}

export function splitList(text: string): readonly string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
}

export function toggle(variable: string, fallback: '0' | '1'): Setting<boolean> {
  const parse = (text: string) => (text === '1' ? true : text === '0' ? false : undefined)
  return { variable, fallback, parse, expected: '1 or 0' }
}

/** A setting with a choice of words; the first one is the default. */
export function choice<const Word extends string>(
  variable: string,
  words: readonly [Word, ...Word[]],
  flag?: SettingFlag,
): Setting<Word> {
  const parse = (text: string) => words.find((word) => word === text)
  return { ...(flag !== undefined && { flag }), variable, fallback: words[0], parse, expected: listWords(words, 'or') }
}

/** An integer setting with bounds. */
export function count(variable: string, fallback: number, least: number, most: number): Setting<number> {
  return {
    variable,
    fallback: String(fallback),
    parse: (text) =>
      /^\d{1,12}$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : undefined,
    expected: `an integer from ${least} to ${most}`,
  }
}

const keyIdVariable = 'SVC_OBJECTS_KEY_ID'

/** The settings of the places that hold all state, and the secret. */
export const storageSettings = {
  /** In `production`, the clock of the database is the real time. */
  environment: choice('SVC_ENV', ['test', 'production']),
  /** Absolute path of the folder of the state that no database and no object store holds. */
  dataDir: {
    flag: 'dataDir',
    variable: 'SVC_DATA_DIR',
    fallback: '.svc',
    parse: (text) => (text === '' || text.includes('\0') ? undefined : resolve(text)),
    expected: 'the path of a directory',
  },
  /** URL of a PostgreSQL database; empty for the file in the data directory. */
  database: databaseUrl('SVC_DATABASE', 'database'),
  /** URL of the same database without a pooler, for migrations; empty if `database` is not a pooler. */
  databaseDirect: databaseUrl('SVC_DATABASE_DIRECT'),
  databaseConnections: count('SVC_DATABASE_CONNECTIONS', 8, 1, 1000),
  /** Address of a bucket; empty for the folder in the data directory. */
  objects: {
    flag: 'objects',
    variable: 'SVC_OBJECTS',
    fallback: '',
    parse: (text) => (text === '' || text.startsWith('s3://') ? text : undefined),
    expected: 'an address like s3://my-bucket?endpoint=https://s3.example.com&region=us-east-1',
    isSecret: true,
  },
  objectsKeyId: credential(keyIdVariable, 'AWS_ACCESS_KEY_ID'),
  objectsSecret: credential('SVC_OBJECTS_SECRET', 'AWS_SECRET_ACCESS_KEY'),
  /** The session of temporary credentials; empty for others. */
  objectsSessionToken: credential('SVC_OBJECTS_SESSION_TOKEN', 'AWS_SESSION_TOKEN'),
  /** `serve` answers the signed address of an object in a bucket with its bytes, `redirect` with an address at the bucket. */
  objectAddresses: choice('SVC_OBJECT_ADDRESSES', ['serve', 'redirect']),
  /** The place of the request log. `folder` and `database`, of earlier versions, are the table too. */
  log: {
    variable: 'SVC_LOG',
    fallback: 'table',
    parse: (text) =>
      text === 'stdout' ? text : ['', 'table', 'folder', 'database'].includes(text) ? 'table' : undefined,
    expected: 'table or stdout',
  },
  /** Lines of the request log that PostgreSQL keeps. */
  logLines: count('SVC_LOG_LINES', 500_000, 1000, 1_000_000_000),
  /** The secret of URLs and pseudonyms; empty for that of `secretFile` or of the data directory. */
  secret: {
    variable: 'SVC_SECRET',
    fallback: '',
    parse: (text) => (/^([0-9a-f]{64})?$/.test(text) ? text : undefined),
    expected: '64 hexadecimal digits, as `openssl rand -hex 32` prints them',
    isSecret: true,
  },
  secretFile: {
    variable: 'SVC_SECRET_FILE',
    fallback: '',
    parse: (text) => (text.includes('\0') ? undefined : text && resolve(text)),
    expected: 'the path of a file',
  },
} satisfies Readonly<Record<string, Setting<unknown>>>

/** The validated values of `storageSettings`. */
export type StorageConfig = {
  readonly [Name in keyof typeof storageSettings]: Exclude<
    ReturnType<(typeof storageSettings)[Name]['parse']>,
    undefined
  >
}

/** Returns the settings of the storage alone, which can be sent to a thread. */
export function toStorageConfig(config: StorageConfig): StorageConfig {
  const names = Object.keys(storageSettings) as (keyof StorageConfig)[]
  return Object.fromEntries(names.map((name) => [name, config[name]])) as unknown as StorageConfig
}

function databaseUrl(variable: string, flag?: 'database') {
  return {
    ...(flag !== undefined && { flag }),
    variable,
    fallback: '',
    parse: (text: string) => (text === '' || isDatabaseUrl(text) ? text : undefined),
    expected: 'an address like postgres://user@db.example.com/svc',
    isSecret: true,
  } as const
}

function isDatabaseUrl(text: string): boolean {
  return /^postgres(ql)?:\/\//.test(text) && !text.includes('\0') && URL.canParse(text)
}

function credential(variable: string, otherVariable: string) {
  return {
    variable,
    otherVariable,
    // A part of one key does not fit another.
    otherUnless: variable === keyIdVariable ? '' : keyIdVariable,
    fallback: '',
    parse: (text: string) => (/^[\x21-\x7e]*$/.test(text.trim()) ? text.trim() : undefined),
    expected: 'a key',
    isSecret: true,
  } as const
}

/** Describes the database of a URL without user, password and parameters, which may be secrets. */
export function describeDatabase(url: string): string {
  const { host, pathname, searchParams } = new URL(url)
  return `the database ${pathname.slice(1)} at ${host || (searchParams.get('host') ?? 'this machine')}`
}

/** Returns the option with which a command finds the service. Without a password. */
export function nameStorage({ database, dataDir }: StorageConfig): string {
  return database === '' ? `--data-dir ${quote(dataDir)}` : `--database ${quote(hidePassword(database))}`
}

/** Replaces the passwords in the URL of a database. */
export function hidePassword(url: string): string {
  const shown = new URL(url)
  if (shown.password !== '') shown.password = '***'
  for (const name of shown.searchParams.keys()) if (/password/i.test(name)) shown.searchParams.set(name, '***')
  return shown.href
}

/** Describes a bucket. Only its name: what follows may hold a secret by mistake. */
export function describeObjects(address: string): string {
  return `the bucket ${/^s3:\/\/(?:[^/?#]*@)?([^/?#]*)/.exec(address)?.[1] ?? ''}`
}

/** Describes where the state is, for the operator. */
export function describeStorage({
  dataDir,
  database,
  objects,
}: Pick<StorageConfig, 'dataDir' | 'database' | 'objects'>) {
  const places = [
    database === '' ? dataDir : describeDatabase(database),
    objects === '' ? dataDir : describeObjects(objects),
  ]
  return [...new Set(places)].join(' and ')
}
