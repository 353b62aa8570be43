import { input, select } from '@inquirer/prompts'
import { SvcError } from '../../errors.js'

/** Asks for missing arguments on standard error, since standard output is for the answer. Throws if nobody answers. */
export async function askForAvatar(
  photo: string | undefined,
  species: string | undefined,
): Promise<{ photo: string; species: string }> {
  const context = { output: process.stderr }
  try {
    return {
      photo: photo ?? (await input({ message: 'Which photo? (a file or a URL)', required: true }, context)),
      species:
        species ?? (await select({ message: 'Is it a dog or a cat?', choices: ['dog', 'cat'] as const }, context)),
    }
  } catch (cause) {
    throw new SvcError('invalid_request', 'The questions were not answered, so nothing was created.', { cause })
  }
}
