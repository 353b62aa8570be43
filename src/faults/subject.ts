import { findAvatarId } from '../media/identity.js'
import { type Pose, poses } from '../media/poses.js'
import type { FaultCall, FaultMatch } from '../ports/faults.js'
import type { ClaimedUnit } from '../ports/queue.js'
import type { Owner, Task, UnitKind } from '../ports/tasks.js'
import { fitsRoute } from './fields.js'
import { findNamedPet } from './named-pet.js'
import { unitRouteByKind } from './rule.js'

/** The values of a call or a unit that rules are compared with. An empty list fits no rule with this member. */
export type FaultSubject = { readonly [Name in keyof FaultMatch]-?: readonly string[] }

/** Returns true if every member of the match is one of the subject's. */
export function isMatched(match: FaultMatch, subject: FaultSubject): boolean {
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

export function subjectOfUnit(
  { name, task }: Pick<ClaimedUnit, 'name' | 'task'>,
  keyName: string | undefined,
): FaultSubject {
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
export async function subjectOfCall(
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
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
