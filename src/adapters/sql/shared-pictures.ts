import type { Transaction } from 'kysely'
import type { NewPicture, TaskStatus } from '../../ports/tasks.js'
import type { Engine } from './engine.js'
import type { Tables } from './tables.js'

/** A failed one may be made again, and one that is gone. */
const standing: readonly TaskStatus[] = ['pending', 'processing', 'success']

/**
 * The task that stands for a shared picture already, or undefined, and then `task` is to be created in this transaction.
 * The picture's row is locked before tasks are read, so that of two transactions the later one finds what the earlier created.
 */
export async function claimSharedPicture(
  tx: Transaction<Tables>,
  engine: Engine,
  { id, provider, picture: { recipe } }: NewPicture,
  lostId?: string,
): Promise<string | undefined> {
  await tx
    .insertInto('shared_pictures')
    .values({ recipe, provider, task_id: id })
    .onConflict((conflict) => conflict.columns(['recipe', 'provider']).doNothing())
    .execute()
  const { task_id } = await tx
    .selectFrom('shared_pictures')
    .select('task_id')
    .where('recipe', '=', recipe)
    .where('provider', '=', provider)
    .modifyEnd(engine.lockRows)
    .executeTakeFirstOrThrow()
  if (task_id === id) return undefined
  // A statement of its own: it must see what was committed while the lock was waited for.
  const task = await tx
    .selectFrom('tasks')
    .select('id')
    .where('id', '=', task_id)
    .where('status', 'in', standing)
    .executeTakeFirst()
  if (task !== undefined && task.id !== lostId) return task.id
  await tx
    .updateTable('shared_pictures')
    .set({ task_id: id })
    .where('recipe', '=', recipe)
    .where('provider', '=', provider)
    .execute()
  return undefined
}
