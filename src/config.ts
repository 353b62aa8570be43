import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { SvcError } from './errors.js'

/** The operator's file, where it lies in the data directory. */
export const configName = 'svc.config.json'

/** What the program was told, checked. Flags win over environment variables, those over the defaults. */
export interface Config {
  readonly host: string
  /** 0 takes a free port. */
  readonly port: number
  /** Absolute path of the folder that holds all state. */
  readonly dataDir: string
  /** `config`: the models that `configFile` names. */
  readonly provider: 'stub' | 'config'
  /** Absolute path of the operator's file, which need not exist. */
  readonly configFile: string
  /** What a variable holds that the operator's file names; undefined where it is not set, or empty. */
  readonly findVariable: (name: string) => string | undefined
  readonly environment: 'test' | 'production'
  /** How long a stop waits for the calls that are being answered, and those of models that are sent. */
  readonly drainSeconds: number
  /** How long callers are asked to wait between two looks at a task. */
  readonly pollAfterSeconds: number
  /** Base of the object URLs in answers; null: that of the request. */
  readonly publicUrl: string | null
  readonly urlTtlSeconds: number
  /** Whether a photo may be downloaded from loopback and private addresses. */
  readonly allowPrivateUrls: boolean
  /** Whether a day's picture may be one of a pet that stands for all. */
  readonly sharedLibrary: boolean
  /** Shorter side of a photo, pixels. */
  readonly imageMinSide: number
  readonly imageMaxBytes: number
  /** How long the stub takes for each picture or clip beyond drawing it. */
  readonly stubDelayMs: number
  /** Poses and scene IDs that the stub fails; `all` fails everything. */
  readonly stubFail: readonly string[]
}

/** The command that opens a text to edit, as other programs at a terminal find it. */
export function findEditor(variables: NodeJS.ProcessEnv = process.env): string {
  return variables.VISUAL || variables.EDITOR || (process.platform === 'win32' ? 'notepad' : 'vi')
}

export type ConfigFlags = Partial<Record<'host' | 'port' | 'dataDir' | 'provider' | 'config', string>>

interface Setting<T> {
  readonly flag?: keyof ConfigFlags
  readonly variable: string
  readonly fallback: string
  /** The value, or undefined if `text` is none. */
  readonly parse: (text: string) => T | undefined
  readonly expected: string
}

const host: Setting<string> = {
  flag: 'host',
  variable: 'SVC_HOST',
  fallback: '127.0.0.1',
  parse: (text) => (/^(?!-)[\d.:A-Za-z-]{1,63}(?<!-)$/.test(text) ? text : undefined),
  expected: 'a host name or an IP address, such as 127.0.0.1 or 0.0.0.0',
}
const port: Setting<number> = {
  flag: 'port',
  variable: 'SVC_PORT',
  fallback: '8787',
  parse: (text) => (/^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined),
  expected: 'a port from 0 to 65535 (0 takes a free one)',
}
const dataDir: Setting<string> = {
  flag: 'dataDir',
  variable: 'SVC_DATA_DIR',
  fallback: '.svc',
  parse: (text) => (text === '' || text.includes('\0') ? undefined : resolve(text)),
  expected: 'the path of a folder',
}
/** Empty: not said. */
const provider: Setting<Config['provider'] | ''> = {
  flag: 'provider',
  variable: 'SVC_PROVIDER',
  fallback: '',
  parse: (text) => (text === 'stub' || text === 'config' || text === '' ? text : undefined),
  expected: 'stub, or config for the models that svc.config.json names',
}
/** Empty: the one in the data directory. */
const configFile: Setting<string> = {
  flag: 'config',
  variable: 'SVC_CONFIG',
  fallback: '',
  parse: (text) => (text.includes('\0') ? undefined : text && resolve(text)),
  expected: 'the path of a file',
}
const environment: Setting<Config['environment']> = {
  variable: 'SVC_ENV',
  fallback: 'test',
  parse: (text) => (text === 'test' || text === 'production' ? text : undefined),
  expected: 'test or production',
}

const publicUrl: Setting<string | null> = {
  variable: 'SVC_PUBLIC_URL',
  fallback: '',
  parse: (text) => {
    if (text === '') return null
    return URL.canParse(text) && /^https?:\/\/[^\s?#@]+$/i.test(text) ? text.replace(/\/+$/, '') : undefined
  },
  expected: 'an address like https://pets.example.com',
}
const allowPrivateUrls = toggle('SVC_ALLOW_PRIVATE_URLS', '0')
const sharedLibrary = toggle('SVC_SHARED_LIBRARY', '1')
const stubFail: Setting<readonly string[]> = {
  variable: 'SVC_STUB_FAIL',
  fallback: '',
  parse: (text) =>
    /^[\w-]*( *, *[\w-]+)*$/.test(text.trim())
      ? text
          .split(',')
          .map((name) => name.trim())
          .filter(Boolean)
      : undefined,
  expected: 'a comma list of poses and scene IDs, or all',
}
const drainSeconds = count('SVC_DRAIN_SECONDS', 10, 0, 3600)
const pollAfterSeconds = count('SVC_POLL_AFTER_SECONDS', 3, 1, 3600)
const urlTtlSeconds = count('SVC_URL_TTL_SECONDS', 86_400, 1, 365 * 86_400)
const imageMinSide = count('SVC_IMAGE_MIN_SIDE', 256, 1, 10_000)
const imageMaxBytes = count('SVC_IMAGE_MAX_BYTES', 10 * 1024 * 1024, 1024, 100 * 1024 * 1024)
const stubDelayMs = count('SVC_STUB_DELAY_MS', 0, 0, 3_600_000)

function toggle(variable: string, fallback: '0' | '1'): Setting<boolean> {
  const parse = (text: string) => (text === '1' ? true : text === '0' ? false : undefined)
  return { variable, fallback, parse, expected: '1 or 0' }
}

/** A whole number within bounds. */
function count(variable: string, fallback: number, least: number, most: number): Setting<number> {
  return {
    variable,
    fallback: String(fallback),
    parse: (text) =>
      /^\d{1,12}$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : undefined,
    expected: `a whole number from ${least} to ${most}`,
  }
}

/** Reads the configuration. Throws `invalid_request` with the flag or the variable at fault and what it may be. */
export function loadConfig(flags: ConfigFlags = {}, variables: NodeJS.ProcessEnv = process.env): Config {
  const read = <T>(setting: Setting<T>): T => readSetting(setting, flags, variables)
  const named = read(configFile)
  const file = named || join(read(dataDir), configName)
  return {
    host: read(host),
    port: read(port),
    dataDir: read(dataDir),
    // Who has named or written a file wants its models; so all commands on one data directory agree.
    provider: read(provider) || (named !== '' || existsSync(file) ? 'config' : 'stub'),
    configFile: file,
    findVariable: (name) => variables[name] || undefined,
    environment: read(environment),
    drainSeconds: read(drainSeconds),
    pollAfterSeconds: read(pollAfterSeconds),
    publicUrl: read(publicUrl),
    urlTtlSeconds: read(urlTtlSeconds),
    allowPrivateUrls: read(allowPrivateUrls),
    sharedLibrary: read(sharedLibrary),
    imageMinSide: read(imageMinSide),
    imageMaxBytes: read(imageMaxBytes),
    stubDelayMs: read(stubDelayMs),
    stubFail: read(stubFail),
  }
}

/**
 * For a service that lives as long as a command: a file that merely lies in the working folder makes it neither spend money
 * nor send keys anywhere.
 */
export function drawUnlessTold(config: Config): Config {
  const isTold = ['SVC_PROVIDER', 'SVC_CONFIG'].some((name) => config.findVariable(name) !== undefined)
  return isTold ? config : { ...config, provider: 'stub' }
}

function readSetting<T>(setting: Setting<T>, flags: ConfigFlags, variables: NodeJS.ProcessEnv): T {
  const flag = setting.flag === undefined ? undefined : flags[setting.flag]
  // A variable that is set but empty counts as not set, as `docker run -e` and CI forms write it.
  const text = flag ?? (variables[setting.variable] || setting.fallback)
  const value = setting.parse(text)
  if (value !== undefined) return value
  const name = flag === undefined ? setting.variable : `--${setting.flag === 'dataDir' ? 'data-dir' : setting.flag}`
  throw new SvcError('invalid_request', `${name} is ${JSON.stringify(text)}; it must be ${setting.expected}.`)
}

/** What the environment tells of the terminal and the desktop that a command was started from. */
export interface Surroundings {
  readonly isCi: boolean
  /** Whether a window can be shown. */
  readonly hasDisplay: boolean
  /** How this program is started there: `npx svc`, `svc`, or Node with its file. */
  readonly program: readonly string[]
}

export function readSurroundings(
  variables: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
  argv: readonly string[] = process.argv,
): Surroundings {
  const isDesktop = platform === 'darwin' || platform === 'win32'
  const file = argv[1] ?? ''
  const isOnPath = /(^|[\\/])svc$/.test(file)
  return {
    isCi: !['', '0', 'false'].includes(variables.CI ?? ''),
    hasDisplay: isDesktop || Boolean(variables.DISPLAY || variables.WAYLAND_DISPLAY),
    program: variables.npm_command === 'exec' ? ['npx', 'svc'] : isOnPath ? ['svc'] : ['node', file],
  }
}

/** The environment of a program that a command starts: all of ours, and what is added. */
export function toChildEnvironment(
  additions: Readonly<Record<string, string>>,
  variables: NodeJS.ProcessEnv = process.env,
): NodeJS.ProcessEnv {
  return { ...variables, ...additions }
}
