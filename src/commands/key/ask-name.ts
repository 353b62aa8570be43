import { input } from '@inquirer/prompts'
import { SvcError } from '../../errors.js'

/** Asks what the key is for, on standard error: standard output is the answer's alone. Throws when nobody answers. */
export async function askName(): Promise<string> {
  try {
    return await input({ message: 'What is the key for?', required: true }, { output: process.stderr })
  } catch (cause) {
    throw new SvcError('invalid_request', 'No name was given, so no key was created.', { cause })
  }
}
