import { readSceneLibrary } from '../catalog/diary.js'
import {
  faultFields as declaredFields,
  type FaultField,
  type FaultFieldName,
  faultAliases,
  faultFieldNames,
  faultStatuses,
} from '../contract/faults.js'
import { routePaths } from '../generated/route-paths.js'
import { defaultDiaryVersion } from '../media/diary-versions.js'
import { poses } from '../media/poses.js'
import { listWords } from '../text/spelling.js'
import { toMs } from '../text/time.js'
import { failureCodes } from '../worker/failure-messages.js'

/** The values that a field accepts. */
interface FieldCheck {
  /** Continues `must be`. */
  readonly expected: string
  /** True if the text is a value of the field. */
  readonly accepts: (text: string) => boolean
  /** The values, or values like those that a caller may mean. */
  readonly choices?: () => readonly string[]
}

/** Writes the name of a field as the caller knows it. */
export type NameField = (name: string) => string

/** Stored files are served outside the routes of the contract. */
export const filesRoute = 'GET /objects/{key}'

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
const delay = { expected: 'from 100ms to 10m, such as 8s', accepts: isDelay }

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

const checks: Readonly<Record<FaultFieldName, FieldCheck>> = {
  route: {
    expected: 'a method and a path of the contract, such as "POST /v1/pet-avatar/generate"',
    accepts: (text) => listRoutes().some((route) => fitsRoute(text, route)),
    choices: listRoutes,
  },
  caller: { expected: 'the ID or the name of an API key', accepts: isId },
  user: { expected: 'a user ID', accepts: isId },
  pet: { expected: 'a pet ID', accepts: isId },
  task: { expected: 'a task ID', accepts: isId },
  scene: {
    expected: 'the ID of a scene, as svc diary scenes lists them',
    accepts: isIn(listScenes),
    choices: listScenes,
  },
  pose: chooses(poses),
  alias: chooses(faultAliases),
  status: chooses(faultStatuses.map(String)),
  'retry-after': { expected: 'a number of seconds', accepts: isCount(0) },
  delay,
  stall: delay,
  drop: chooses(['before', 'during', 'after']),
  body: chooses(['cut', 'malformed']),
  address: chooses(['expired', 'broken']),
  code: chooses(failureCodes),
  retries: { expected: 'a number from 1 to 6', accepts: (text) => /^[1-6]$/.test(text) },
  slow: delay,
  'never-ends': { expected: 'true', accepts: (text) => text === 'true' },
  only: chooses(['webp', 'mp4']),
  times: { expected: 'a number from 1 to 999999', accepts: isCount(1) },
  every: { expected: 'a number from 1 to 999999', accepts: isCount(1) },
  share: {
    expected: 'from 1% to 100%, such as 10%',
    accepts: (text) => /^(\d{1,2}(\.\d)?|100)%$/.test(text) && Number.parseFloat(text) > 0,
  },
  for: { expected: 'a time such as 90s, 5m or 1h', accepts: (text) => (toMs(text) ?? 0) > 0 },
}

/** All fields of a rule, with the values that they accept. */
export const faultFields = Object.fromEntries(
  faultFieldNames.map((name) => [name, { ...declaredFields[name], ...checks[name] }]),
) as Readonly<Record<FaultFieldName, FaultField & FieldCheck>>

export type FaultFields = Readonly<Partial<Record<FaultFieldName, string>>>
