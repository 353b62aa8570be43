import type { Transaction } from 'kysely'
import type { NewPicture, TaskStatus } from '../../ports/tasks.js'
import type { Engine } from './engine.js'
import type { Tables } from './tables.js'

/** The statuses of a task whose picture is or will be usable; otherwise the picture is made again. */
const usable: readonly TaskStatus[] = ['pending', 'processing', 'success']

/**
 * Returns the ID of a shared picture's existing task, or undefined if the caller must create `task` in this transaction.
 * Locks the picture's row before it reads tasks, so the later of two transactions finds the task of the earlier.
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
  // A separate statement: it must see rows committed while this transaction waited for the lock.
  const task = await tx
    .selectFrom('tasks')
    .select('id')
    .where('id', '=', task_id)
    .where('status', 'in', usable)
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
