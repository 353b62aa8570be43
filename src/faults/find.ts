import { findAvatarId } from '../media/identity.js'
import { type Pose, poses } from '../media/poses.js'
import type { CallFault, FaultCall, FaultMatch, FaultStore, StoredFault, UnitFault } from '../ports/faults.js'
import type { KeyStore } from '../ports/keys.js'
import type { ClaimedUnit } from '../ports/queue.js'
import type { Owner, Task, TaskStore, UnitKind } from '../ports/tasks.js'
import { fitsRoute } from './fields.js'
import { adviseMagicPet, findMagicCall, findMagicUnit, isMagicPet } from './magic-pets.js'
import { findNamedPet, isObject } from './named-pet.js'
import { asPart, type FaultRule, isFieldName, toRule, unitRouteByKind } from './rule.js'

export interface FinderParts {
  readonly store: FaultStore & Pick<TaskStore, 'findTask'> & Pick<KeyStore, 'findKey'>
  /** Epoch milliseconds. */
  readonly now: () => number
  /** A number in [0, 1); the default is random. */
  readonly random?: (() => number) | undefined
}

type KnownRule = FaultRule & { readonly id: string; readonly expiresAt: Date | null; readonly isSpent: boolean }
type CallRule = Extract<KnownRule, { on: 'call' }>
type UnitRule = Extract<KnownRule, { on: 'unit' }>

/** The rules that may fire, or that a unit may have met. */
export interface KnownRules {
  readonly calls: readonly CallRule[]
  readonly units: readonly UnitRule[]
}

export function toKnownRules(stored: readonly StoredFault[]): KnownRules {
  const rules = stored.flatMap(toKnown)
  return {
    calls: rules.flatMap((rule) => (rule.on === 'call' && !rule.isSpent ? [rule] : [])),
    // A unit keeps its rule after the rule is spent.
    units: rules.flatMap((rule) => (rule.on === 'unit' ? [rule] : [])),
  }
}

/** Returns the rule of a row, whose fields were checked, unless a newer version stored fields that this one does not know. */
function toKnown({ id, fields, expiresAt, times, fired }: StoredFault): KnownRule[] {
  if (!Object.keys(fields).every(isFieldName)) return []
  return [{ ...toRule(fields, asPart), id, expiresAt, isSpent: times !== null && fired >= times }]
}

/** Finds the fault of a call, the oldest rule first, and counts it. `magicPet` is a pet that the call names. */
export async function findForCall(
  parts: FinderParts,
  known: readonly CallRule[],
  call: FaultCall,
  magicPet: string | undefined,
): Promise<CallFault | undefined> {
  const { store } = parts
  // A rule that names no route leaves probes and files alone.
  const isNamed = ({ match }: CallRule) => match.route !== undefined || call.route.includes(' /v1/')
  const rules = known.filter((rule) => isCurrent(parts, rule) && isNamed(rule))
  const needsOwner = rules.some(({ match }) => match.pet !== undefined || match.user !== undefined)
  const subject = await subjectOfCall(call, store.findTask, needsOwner)
  for (const rule of rules) {
    if (!isMatched(rule.match, subject) || !isChosen(parts, rule) || !(await store.countFault(rule.id))) continue
    return { id: rule.id, effect: rule.effect, delayMs: rule.delayMs }
  }
  if (magicPet === undefined) return undefined
  if (!isMagicPet(magicPet)) {
    const path = call.route.includes('health-detail') ? '/petId' : '/pet_id'
    call.warn({ rule: 'unknown-magic-pet', path, expected: adviseMagicPet(magicPet) })
  }
  // Not the owner of a task that the call names: a client must be able to read the task whose first response was lost.
  const magic = findMagicCall(magicPet)
  // The addresses are known only with the response.
  return magic?.effect.kind === 'address' ? undefined : magic
}

/** Finds the fault of the addresses in a response about a pet. */
export function findForAnswer(petId: string): CallFault | undefined {
  const magic = findMagicCall(petId)
  return magic?.effect.kind === 'address' ? { ...magic, effect: { ...magic.effect, pet: petId } } : undefined
}

/** Finds the fault of a unit, and counts the unit once for all its attempts. */
export async function findForUnit(
  parts: FinderParts,
  known: readonly UnitRule[],
  unit: ClaimedUnit,
): Promise<UnitFault | undefined> {
  const { owner, units } = unit.task
  const isLast = units.length > 1 && units.at(-1)?.name === unit.name
  const rule = findMagicUnit(owner.petId, isLast) ?? (await findUnitRule(parts, known, unit))
  return rule && { id: rule.id, effect: rule.effect, delayMs: rule.delayMs }
}

async function findUnitRule(
  parts: FinderParts,
  known: readonly UnitRule[],
  unit: ClaimedUnit,
): Promise<UnitRule | undefined> {
  const { store } = parts
  const rules = known.filter((rule) => isCurrent(parts, rule))
  const needsKey = rules.some(({ match }) => match.caller !== undefined)
  const subject = subjectOfUnit(unit, needsKey ? (await store.findKey(unit.task.keyId))?.name : undefined)
  const fitting = rules.filter(({ match }) => isMatched(match, subject))
  if (fitting.length === 0) return undefined
  // An attempt that a crash ended does not count: the next one is the first again, and finds the rule of the unit.
  const open = unit.attempt > 1 ? [] : fitting.filter((rule) => !rule.isSpent && isChosen(parts, rule))
  const ids = open.map(({ id }) => id)
  const id = await (ids.length === 0 ? store.findUnitFault(unit.id) : store.takeUnitFault(unit.id, ids))
  return fitting.find((rule) => rule.id === id)
}

function isCurrent({ now }: FinderParts, { expiresAt }: KnownRule): boolean {
  return expiresAt === null || expiresAt.getTime() > now()
}

function isChosen({ random = Math.random }: FinderParts, { share }: KnownRule): boolean {
  return share === 1 || random() < share
}

/** The values of a call or a unit that rules are compared with. An empty list fits no rule with this member. */
type FaultSubject = { readonly [Name in keyof FaultMatch]-?: readonly string[] }

/** Returns true if every member of the match is one of the subject's. */
function isMatched(match: FaultMatch, subject: FaultSubject): boolean {
  return Object.entries(match).every(([name, wanted]) => {
    const values = subject[name as keyof FaultMatch]
    return name === 'route' ? values.some((route) => fitsRoute(wanted, route)) : values.includes(wanted)
  })
}

const aliasByKind: Readonly<Record<UnitKind, string>> = {
  avatar: 'svc-avatar',
  animation: 'svc-animation',
  diary: 'svc-avatar',
}

function subjectOfUnit({ name, task }: Pick<ClaimedUnit, 'name' | 'task'>, keyName: string | undefined): FaultSubject {
  return {
    route: [unitRouteByKind[task.kind]],
    caller: [task.keyId, ...listGiven(keyName)],
    user: [task.owner.userId],
    pet: [task.owner.petId],
    task: [task.id, ...(task.kind === 'diary' && task.parentId !== null ? [task.parentId] : [])],
    scene: task.kind === 'diary' ? [name] : [],
    pose: task.kind === 'diary' ? [] : [name],
    alias: [aliasByKind[task.kind]],
  }
}

/** Reads the subject of a call from its input; `findTask` is asked for an owner that the input only names by a task. */
async function subjectOfCall(
  { route, key, aliases, input }: FaultCall,
  findTask: (id: string) => Promise<Task | undefined>,
  needsOwner: boolean,
): Promise<FaultSubject> {
  const body = readBody(input.body)
  const fields = { ...toObject(input.query), ...body, ...toObject(input.params) }
  const texts = (...names: readonly string[]) =>
    names.flatMap((name) => {
      const value = fields[name]
      return typeof value === 'string' ? [value] : []
    })
  const list = (name: string) => (Array.isArray(fields[name]) ? fields[name].map(String) : [])
  const task = texts('task_id', 'avatar_task_id')
  const named = [...task, ...texts('identity_asset_id').flatMap((id) => findAvatarId(id) ?? [])][0]
  const user = texts('user_id', 'userId')
  const pet = [findNamedPet(body) ?? findNamedPet(input.query)].filter((id) => typeof id === 'string')
  const isOwnerMissing = needsOwner && named !== undefined && (user.length === 0 || pet.length === 0)
  const owner: Partial<Owner> = (isOwnerMissing ? (await findTask(named))?.owner : undefined) ?? {}
  return {
    route: [route],
    caller: key === undefined ? [] : [key.id, key.name],
    user: user.length > 0 ? user : listGiven(owner.userId),
    pet: pet.length > 0 ? pet : listGiven(owner.petId),
    task,
    scene: [...texts('scene_id'), ...list('scene_ids')],
    pose: readPoses(fields),
    alias: aliases,
  }
}

function listGiven(value: string | undefined): readonly string[] {
  return value === undefined ? [] : [value]
}

/** Returns the poses that a call asks for. */
function readPoses({ pose, poses: list }: Readonly<Record<string, unknown>>): readonly string[] {
  if (Array.isArray(list)) return list.map(String)
  if (pose === 'all') return poses
  return poses.includes(pose as Pose) ? [String(pose)] : []
}

/** Reads a body; one that its handler checks may be anything. */
function readBody(body: unknown): Readonly<Record<string, unknown>> {
  const object = toObject(body)
  if (typeof object.parse !== 'function') return object
  try {
    return toObject(object.parse())
  } catch {
    // The handler refuses it.
    return {}
  }
}

function toObject(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {}
}
