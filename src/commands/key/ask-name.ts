import { input } from '@inquirer/prompts'
import { SvcError } from '../../errors.js'

/** Asks for the name on standard error, since standard output is for the answer. Throws if nobody answers. */
export async function askName(): Promise<string> {
  try {
    return await input({ message: 'What is the key for?', required: true }, { output: process.stderr })
  } catch (cause) {
    throw new SvcError('invalid_request', 'No name was given, so no key was created.', { cause })
  }
}
