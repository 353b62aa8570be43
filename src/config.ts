import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { choice, count, type Setting, type SettingFlag, splitList, storageSettings, toggle } from './config/storage.js'
import { SvcError } from './errors.js'
import { findNearest } from './text/spelling.js'

/** The operator's file in the data directory. */
export const configName = 'svc.config.json'

/** Returns the folder of what this user's programs keep between runs (XDG Base Directory). */
export function findStateFolder({ XDG_STATE_HOME: home = '' }: NodeJS.ProcessEnv = process.env): string {
  return join(isAbsolute(home) ? home : join(homedir(), '.local', 'state'), 'svc')
}

/** Returns the file of the summary of a step of GitHub Actions; undefined elsewhere. */
export function findStepSummary({ GITHUB_STEP_SUMMARY }: NodeJS.ProcessEnv = process.env): string | undefined {
  return GITHUB_STEP_SUMMARY || undefined
}

export type ConfigFlags = Partial<Record<SettingFlag, string>>

const settings = {
  host: {
    flag: 'host',
    variable: 'SVC_HOST',
    fallback: '127.0.0.1',
    parse: (text) => (/^(?!-)[\d.:A-Za-z-]{1,63}(?<!-)$/.test(text) ? text : undefined),
    expected: 'a host name or an IP address, such as 127.0.0.1 or 0.0.0.0',
  },
  /** 0 chooses a free port. */
  port: {
    flag: 'port',
    variable: 'SVC_PORT',
    fallback: '8787',
    parse: (text) => (/^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined),
    expected: 'a port from 0 to 65535 (0 takes a free one)',
  },
  ...storageSettings,
  /** Empty if not set. */
  provider: {
    flag: 'provider',
    variable: 'SVC_PROVIDER',
    fallback: '',
    parse: (text) => (text === 'stub' || text === 'config' || text === '' ? text : undefined),
    expected: 'stub, or config for the models that svc.config.json names',
  },
  /** Empty for the file in the data directory. */
  configFile: {
    flag: 'config',
    variable: 'SVC_CONFIG',
    fallback: '',
    parse: (text) => (text.includes('\0') ? undefined : text && resolve(text)),
    expected: 'the path of a file',
  },
  /** `web` answers calls and runs no tasks; `worker` runs tasks and answers probes only; `all` does both. */
  role: choice('SVC_ROLE', ['all', 'web', 'worker'], 'role'),
  /** Base of the object URLs in responses; null for that of the request. */
  publicUrl: {
    variable: 'SVC_PUBLIC_URL',
    fallback: '',
    parse: (text) => {
      if (text === '') return null
      return URL.canParse(text) && /^https?:\/\/[^\s?#@]+$/i.test(text) ? text.replace(/\/+$/, '') : undefined
    },
    expected: 'an address like https://pets.example.com',
  },
  /** Names for which the server answers, besides loopback, `host` and that of `publicUrl`. */
  allowedHosts: {
    variable: 'SVC_ALLOWED_HOSTS',
    fallback: '',
    parse: (text) => {
      const hosts = splitList(text)
      return hosts.every((host) => /^[\w.-]+$|^\[[\da-f:]+\]$/i.test(host)) ? hosts : undefined
    },
    expected: 'a comma-separated list of host names without ports, such as pets.example.com',
  },
  /** The port for `/metrics`, `/live` and `/ready`; null for no such port. 0 chooses a free one. */
  metricsPort: {
    flag: 'metricsPort',
    variable: 'SVC_METRICS_PORT',
    fallback: '',
    parse: (text) => {
      if (text === '') return null
      return /^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined
    },
    expected: 'a port from 0 to 65535 (0 takes a free one)',
  },
  metricsHost: {
    variable: 'SVC_METRICS_HOST',
    fallback: '127.0.0.1',
    parse: (text) => (/^[\d.:A-Za-z-]{1,63}$/.test(text) ? text : undefined),
    expected: 'a host name or an IP address, such as 127.0.0.1 or 0.0.0.0',
  },
  /** True to allow photo downloads from loopback and private addresses. */
  allowPrivateUrls: toggle('SVC_ALLOW_PRIVATE_URLS', '0'),
  /** True if the picture of a day may come from the shared library. */
  sharedLibrary: toggle('SVC_SHARED_LIBRARY', '1'),
  /** Poses and scene IDs that the stub fails; `all` fails everything. */
  stubFail: {
    variable: 'SVC_STUB_FAIL',
    fallback: '',
    parse: (text) => (/^[\w-]*( *, *[\w-]+)*$/.test(text.trim()) ? splitList(text) : undefined),
    expected: 'a comma-separated list of poses and scene IDs, or all',
  },
  /** The pictures of the stub that show the photo in a corner. */
  stubBadge: choice('SVC_STUB_BADGE', ['poses', 'all', 'none']),
  /** The age in days at which finished work is pruned; null to keep it. */
  retentionDays: {
    variable: 'SVC_RETENTION_DAYS',
    fallback: '',
    parse: (text) => (text === '' ? null : count('', 0, 1, 36_500).parse(text)),
    expected: 'an integer from 1 to 36500; unset it to keep everything',
  },
  /** Seconds that a stop waits for running requests and for calls to models. */
  drainSeconds: count('SVC_DRAIN_SECONDS', 10, 0, 3600),
  /** Seconds that a stop waits, before anything else, until load balancers have seen that `/ready` says no. */
  readySeconds: count('SVC_READY_SECONDS', 0, 0, 600),
  /** The number of seconds that callers are asked to wait between two polls of a task. */
  pollAfterSeconds: count('SVC_POLL_AFTER_SECONDS', 3, 1, 3600),
  urlTtlSeconds: count('SVC_URL_TTL_SECONDS', 86_400, 1, 365 * 86_400),
  /** Minimum length of the shorter side of a photo, in pixels. */
  imageMinSide: count('SVC_IMAGE_MIN_SIDE', 256, 1, 10_000),
  imageMaxBytes: count('SVC_IMAGE_MAX_BYTES', 10 * 1024 * 1024, 1024, 100 * 1024 * 1024),
  /** Additional delay of each picture or clip of the stub. */
  stubDelayMs: count('SVC_STUB_DELAY_MS', 0, 0, 3_600_000),
} satisfies Readonly<Record<string, Setting<unknown>>>

/** The values of the settings, as their `parse` returns them. */
type Values = {
  readonly [Name in keyof typeof settings]: Exclude<ReturnType<(typeof settings)[Name]['parse']>, undefined>
}

/** The validated configuration. Flags take precedence over environment variables, and those over the defaults. */
export interface Config extends Omit<Values, 'provider' | 'configFile'> {
  /** `config`: the models of `configFile`. */
  readonly provider: 'stub' | 'config'
  /** Absolute path of the operator's file, which need not exist. */
  readonly configFile: string
  /** Returns the value of an environment variable that the operator's file names; undefined if it is not set or empty. */
  readonly findVariable: (name: string) => string | undefined
}

/** The variables that lead a command to a server. */
export const clientVariables = { url: 'SVC_URL', key: 'SVC_API_KEY' } as const

const prefix = 'SVC_'
/** Every variable that begins with `SVC_` and means something. */
export const knownVariables: readonly string[] = [
  ...Object.values(settings).map(({ variable }) => variable),
  ...Object.values(clientVariables),
]

/** Reads the configuration. Throws `invalid_request` that names the invalid flag or variable and its valid values. */
export function loadConfig(flags: ConfigFlags = {}, variables: NodeJS.ProcessEnv = process.env): Config {
  refuseUnknownVariables(variables)
  const all = Object.entries<Setting<unknown>>(settings)
  const values = Object.fromEntries(
    all.map(([name, setting]) => [name, readSetting(setting, flags, variables)]),
  ) as Values
  const configFile = values.configFile || join(values.dataDir, configName)
  return {
    ...values,
    // An operator who names or writes a file wants its models, and all commands on a data directory must agree.
    provider: values.provider || (values.configFile !== '' || existsSync(configFile) ? 'config' : 'stub'),
    configFile,
    findVariable: (name) => variables[name] || undefined,
  }
}

/**
 * For a temporary service: a file that happens to be in the working folder must not make it spend money or send keys.
 */
export function drawUnlessTold(config: Config): Config {
  const isTold = ['SVC_PROVIDER', 'SVC_CONFIG'].some((name) => config.findVariable(name) !== undefined)
  return isTold ? config : { ...config, provider: 'stub' }
}

/** Rejects unknown variables: a misspelled setting would otherwise be ignored silently. */
export function refuseUnknownVariables(variables: NodeJS.ProcessEnv = process.env): void {
  const isUnknown = (name: string) => name.startsWith(prefix) && variables[name] && !knownVariables.includes(name)
  const name = Object.keys(variables).find(isUnknown)
  if (name === undefined) return
  const nearest = findNearest(
    name.slice(prefix.length),
    knownVariables.map((known) => known.slice(prefix.length)),
  )
  const advice = nearest ? `Did you mean ${prefix}${nearest}?` : 'Unset it; src/server/README.md lists the settings.'
  throw new SvcError('invalid_request', `${name} is not a setting. ${advice}`)
}

function readSetting(
  { flag, variable, otherVariable = '', otherUnless = '', fallback, parse, expected, isSecret }: Setting<unknown>,
  flags: ConfigFlags,
  variables: NodeJS.ProcessEnv,
): unknown {
  const given = flag === undefined ? undefined : flags[flag]
  // An empty variable counts as not set, as in `docker run -e` and CI forms.
  const other = variables[otherUnless] ? '' : variables[otherVariable]
  const text = given ?? (variables[variable] || other || fallback)
  const value = parse(text)
  if (value !== undefined) return value
  const name = given === undefined ? variable : `--${flag?.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
  const wrong = isSecret ? 'is not valid' : `is ${JSON.stringify(text)}`
  throw new SvcError('invalid_request', `${name} ${wrong}; it must be ${expected}.`)
}

/** The terminal and desktop environment of a command. */
export interface Surroundings {
  /** True if an address can be opened in a browser: there is a display, and it is not CI. */
  readonly canOpen: boolean
  /** The command that starts this program in a shell: `svc`, or Node with its file. */
  readonly program: readonly string[]
}

export function readSurroundings(
  variables: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
  argv: readonly string[] = process.argv,
): Surroundings {
  const isDesktop = platform === 'darwin' || platform === 'win32'
  const hasDisplay = isDesktop || Boolean(variables.DISPLAY || variables.WAYLAND_DISPLAY)
  const file = argv[1] ?? ''
  const isOnPath = /(^|[\\/])svc$/.test(file)
  return {
    canOpen: hasDisplay && ['', '0', 'false'].includes(variables.CI ?? ''),
    program: variables.npm_command === 'exec' ? ['npx', 'svc'] : isOnPath ? ['svc'] : ['node', file],
  }
}

/** Returns the environment of a child process: ours with additions. */
export function toChildEnvironment(
  additions: Readonly<Record<string, string>>,
  variables: NodeJS.ProcessEnv = process.env,
): NodeJS.ProcessEnv {
  return { ...variables, ...additions }
}
