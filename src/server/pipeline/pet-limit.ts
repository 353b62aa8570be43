import type { Route } from '../../contract/route.js'
import { SvcError } from '../../errors.js'
import { findPictureTask } from '../../media/diary.js'
import { findAvatarId } from '../../media/identity.js'
import type { TaskStore } from '../../ports/tasks.js'
import type { Input } from '../input/input.js'
import { pickDeclared } from './idempotency.js'

/** The groups whose routes concern no pet. */
const petless: readonly unknown[] = ['models', 'app-metadata']

/** The fields by which a call names a file, an address or a card: their pet is not looked up. */
const otherNames = ['cos_key', 'feedbacks', 'insight_id', 'source_image_url']

type CallFields = Readonly<Record<string, unknown>>

/**
 * Throws `forbidden` unless a call concerns only these pets: it names at least one of them or of their tasks, none of another
 * pet, and deletes nothing. A member that the route does not declare names nothing: its handler ignores it.
 */
export async function requirePets(
  pets: readonly string[],
  route: Route,
  { params, query, body }: Input,
  store: Pick<TaskStore, 'findTask'>,
): Promise<void> {
  const { method, access } = route
  if (typeof access === 'object' && petless.includes(access.group)) return
  const all = [params, query, readBody(route, body)].map(toFields)
  const tasks = await Promise.all(all.flatMap(listTasks).map((id) => store.findTask(id)))
  const concerned = [...all.flatMap(listPets), ...tasks.map((task) => task?.owner.petId)]
  // The handler answers for a task that does not exist.
  const isNamed = concerned.length > 0 && concerned.every((id) => id === undefined || pets.includes(id))
  const namesOther = all.some((fields) => otherNames.some((name) => fields[name] != null))
  if (isNamed && !namesOther && method !== 'DELETE') return
  throw new SvcError(
    'forbidden',
    `The API key may not make this call: it is limited to calls that name only ${pets.join(' or ')}, and deletes nothing.`,
  )
}

function listPets({ pet_id, petId, dailyDiarySnapshot }: CallFields): string[] {
  const ofSnapshot = toFields(toFields(dailyDiarySnapshot).petProfile).petId
  return listTexts(pet_id, petId, ofSnapshot)
}

function listTasks({ task_id, avatar_task_id, identity_asset_id, image_id }: CallFields): string[] {
  return listTexts(task_id, avatar_task_id, findAvatarId(`${identity_asset_id}`), findPictureTask(`${image_id}`))
}

const listTexts = (...values: readonly unknown[]) => values.filter((value) => typeof value === 'string')

/** Returns the declared members of a body; of a payload, which its handler checks, the one that names the pet. */
function readBody(route: Route, body: unknown): unknown {
  const { parse } = toFields(body)
  return typeof parse === 'function' ? { petId: toFields(parse()).petId } : pickDeclared(route, body)
}

function toFields(value: unknown): CallFields {
  return typeof value === 'object' && value !== null ? (value as CallFields) : {}
}
