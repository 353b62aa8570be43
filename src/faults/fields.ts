import { readSceneLibrary } from '../catalog/diary.js'
import { routePaths } from '../generated/route-paths.js'
import { defaultDiaryVersion } from '../media/diary-versions.js'
import { poses } from '../media/poses.js'
import { listWords } from '../text/spelling.js'
import { failureCodes } from '../worker/failure-messages.js'

/** A field of a rule: a flag of the command line, a part of `--fault`, a member of the HTTP body. */
export interface FaultField {
  /** `match` chooses calls and units, `call` and `unit` are effects, `bound` says how often. */
  readonly part: 'match' | 'call' | 'unit' | 'bound'
  /** Placeholder of the value; absent if the field takes no value. */
  readonly value?: string
  readonly summary: string
  /** Continues `must be`. */
  readonly expected: string
  /** True if the text is a value of the field. */
  readonly accepts: (text: string) => boolean
  /** The values, or values like those that a caller may mean. */
  readonly choices?: () => readonly string[]
}

/** Writes the name of a field as the caller knows it. */
export type NameField = (name: string) => string

/** The statuses that a rule can answer. */
export const faultStatuses = [401, 403, 404, 409, 413, 422, 429, 500, 502, 503] as const

/** Stored files are served outside the routes of the contract. */
export const filesRoute = 'GET /objects/{key}'
const aliases = ['svc-avatar', 'svc-animation']

/** Every route that rules apply to: those of `/_svc` manage rules and are spared. */
export function listRoutes(): string[] {
  const routes = Object.values(routePaths).filter(({ path }) => !path.startsWith('/_svc/'))
  return [...routes.map(({ method, path }) => `${method} ${path}`), filesRoute]
}

const isIn = (choices: () => readonly string[]) => (text: string) => choices().includes(text)
const listScenes = () => readSceneLibrary(defaultDiaryVersion).scenes.map(({ scene_id: id }) => id)
const isId = (text: string) => text.length >= 1 && [...text].length <= 128
const isCount = (least: number) => (text: string) => /^\d{1,6}$/.test(text) && Number(text) >= least

/** The longest delay: longer ones of units would not survive a clock that is set back. */
export const delayMsAtMost = 600_000
const delay = { value: 'time', expected: 'from 100ms to 10m, such as 8s', accepts: isDelay }
const lengths = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** Parses a time such as `200ms`, `8s` or `5m`; undefined for other texts. */
export function toMs(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,6})(ms|s|m|h|d)$/.exec(text) ?? []
  return unit === undefined ? undefined : Number(count) * lengths[unit as keyof typeof lengths]
}

function isDelay(text: string): boolean {
  const ms = toMs(text)
  return ms !== undefined && ms >= 100 && ms <= delayMsAtMost
}

/** True if a pattern, such as `/v1/pet-avatar/*`, fits a route, such as `POST /v1/pet-avatar/generate`. */
export function fitsRoute(pattern: string, route: string): boolean {
  const [method, path = ''] = pattern.includes(' ') ? pattern.split(' ') : [undefined, pattern]
  const [ownMethod, ownPath = ''] = route.split(' ')
  const isPath = path.endsWith('*') ? ownPath.startsWith(path.slice(0, -1)) : ownPath === path
  return isPath && (method === undefined || method === ownMethod)
}

const chooses = (values: readonly string[]) => ({
  expected: listWords(values, 'or'),
  accepts: (text: string) => values.includes(text),
  choices: () => values,
})

/** All fields, in the order of the help. */
export const faultFields = {
  route: {
    part: 'match',
    value: 'route',
    summary: 'method and path as in the contract, or a path alone; a path may end with *',
    expected: 'a method and a path of the contract, such as "POST /v1/pet-avatar/generate"',
    accepts: (text) => listRoutes().some((route) => fitsRoute(text, route)),
    choices: listRoutes,
  },
  caller: {
    part: 'match',
    value: 'key',
    summary: 'API key of the caller: its ID or name',
    expected: 'the ID or the name of an API key',
    accepts: isId,
  },
  user: { part: 'match', value: 'id', summary: 'user ID', expected: 'a user ID', accepts: isId },
  pet: { part: 'match', value: 'id', summary: 'pet ID', expected: 'a pet ID', accepts: isId },
  task: { part: 'match', value: 'id', summary: 'task ID', expected: 'a task ID', accepts: isId },
  scene: {
    part: 'match',
    value: 'id',
    summary: 'scene of a diary picture',
    expected: 'the ID of a scene, as svc diary scenes lists them',
    accepts: isIn(listScenes),
    choices: listScenes,
  },
  pose: { part: 'match', value: 'pose', summary: listWords(poses, 'or'), ...chooses(poses) },
  alias: { part: 'match', value: 'model', summary: `model alias: ${listWords(aliases, 'or')}`, ...chooses(aliases) },
  status: {
    part: 'call',
    value: 'status',
    summary: `answer an error: ${faultStatuses.join(', ')}`,
    ...chooses(faultStatuses.map(String)),
  },
  'retry-after': {
    part: 'call',
    value: 'seconds',
    summary: 'Retry-After of that error (default: 1 with 429, 5 with 503)',
    expected: 'a number of seconds',
    accepts: isCount(0),
  },
  delay: { part: 'call', summary: 'wait before the call is answered, such as 8s', ...delay },
  stall: { part: 'call', summary: 'wait in the middle of the answer', ...delay },
  drop: {
    part: 'call',
    value: 'when',
    summary: 'close the connection before, during or after the work; after: only the answer is lost',
    ...chooses(['before', 'during', 'after']),
  },
  body: {
    part: 'call',
    value: 'how',
    summary: 'cut: the answer ends early; malformed: it is not JSON',
    ...chooses(['cut', 'malformed']),
  },
  address: {
    part: 'call',
    value: 'how',
    summary: 'the file addresses in the answer are expired, or broken (lead to no file)',
    ...chooses(['expired', 'broken']),
  },
  code: {
    part: 'unit',
    value: 'code',
    summary: 'the pose or scene fails with this error_code',
    ...chooses(failureCodes),
  },
  retries: {
    part: 'unit',
    value: 'count',
    summary: 'the first attempts fail (1 to 6), then the pose or scene succeeds',
    expected: 'a number from 1 to 6',
    accepts: (text) => /^[1-6]$/.test(text),
  },
  slow: { part: 'unit', summary: 'the pose or scene is made later by this time', ...delay },
  'never-ends': {
    part: 'unit',
    summary: 'the pose or scene never ends (until the deadline of its task)',
    expected: 'true',
    accepts: (text) => text === 'true',
  },
  only: {
    part: 'unit',
    value: 'format',
    summary: 'a clip has this file only: webp or mp4',
    ...chooses(['webp', 'mp4']),
  },
  times: {
    part: 'bound',
    value: 'count',
    summary: 'only the first N calls or poses that match',
    expected: 'a number from 1 to 999999',
    accepts: isCount(1),
  },
  every: {
    part: 'bound',
    value: 'count',
    summary: 'only every Nth match',
    expected: 'a number from 1 to 999999',
    accepts: isCount(1),
  },
  share: {
    part: 'bound',
    value: 'percent',
    summary: 'only a share of the matches at random, such as 10%',
    expected: 'from 1% to 100%, such as 10%',
    accepts: (text) => /^(\d{1,2}(\.\d)?|100)%$/.test(text) && Number.parseFloat(text) > 0,
  },
  for: {
    part: 'bound',
    value: 'time',
    summary: 'only for this time from now, such as 5m',
    expected: 'a time such as 90s, 5m or 1h',
    accepts: (text) => (toMs(text) ?? 0) > 0,
  },
} satisfies Readonly<Record<string, FaultField>>

export type FaultFieldName = keyof typeof faultFields
export type FaultFields = Readonly<Partial<Record<FaultFieldName, string>>>
export const faultFieldNames = Object.keys(faultFields) as FaultFieldName[]
