import { isSvcError } from '../../src/errors.js'

/** Returns the message of the `SvcError` with which something is refused. Throws any other error. */
export async function refusalOf(work: () => unknown): Promise<string> {
  try {
    await work()
  } catch (error) {
    if (isSvcError(error)) return error.message
    throw error
  }
  throw new Error('nothing was refused')
}
