import { confirm } from '@inquirer/prompts'
import { SvcError } from '../../errors.js'

/** Asks for confirmation on standard error. Throws unless the answer is yes. */
export async function askWhetherToSpend(what: readonly string[]): Promise<void> {
  const message = `This buys ${what.join(', and ')}. Continue?`
  const isMeant = await confirm({ message, default: false }, { output: process.stderr }).catch(() => false)
  if (!isMeant) throw new SvcError('invalid_request', 'Nothing was bought.')
}
