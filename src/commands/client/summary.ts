import { call, Refusal } from '../../client/client.js'
import { quote } from '../../text/spelling.js'
import type { ServiceConnection } from './connect.js'
import type { TaskRecord } from './resources.js'
import { dollars } from './usage-report.js'

/** Describes the end of a task for a person: its time, its cost if the key may see it, and the next command. */
export async function describeEnd(connection: ServiceConnection, task: TaskRecord): Promise<string[]> {
  const seconds = (Date.parse(task.updated_at) - Date.parse(task.created_at)) / 1000
  const cost = await findCost(connection, task)
  const next = findNext(task)
  const end = [`${seconds.toFixed(1)} s`, ...(cost === undefined ? [] : [dollars(cost)])].join(', ')
  return [`Ended after ${end}.`, ...(next === undefined ? [] : [`Next: ${next}${connection.flags}`])]
}

/** Returns what was paid for the task; undefined if the key may not see it. */
async function findCost(
  connection: ServiceConnection,
  { request_id, task_id }: TaskRecord,
): Promise<number | undefined> {
  try {
    const { task } = await call(connection, 'getRequest', { params: { request_id } })
    return task?.task_id === task_id ? task.usage.reduce((sum, { cost }) => sum + cost, 0) : undefined
  } catch (error) {
    // The key is not that of an admin, or the log has dropped the call.
    if (error instanceof Refusal) return undefined
    throw error
  }
}

function findNext({ task_id, request_id, status }: TaskRecord): string | undefined {
  if (status !== 'success') return `svc logs --request-id ${quote(request_id)}`
  return task_id.startsWith('avatar_') ? `svc animation generate ${task_id} --wait` : undefined
}
