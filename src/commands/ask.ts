// Questions go to standard error, since standard output is for the answer. Loaded on demand: the prompts are large.
import { confirm, input, select } from '@inquirer/prompts'
import { SvcError } from '../errors.js'

export const context = { output: process.stderr }

/** Throws `invalid_request` with `otherwise` if there is no answer. */
export async function requireAnswer<Value>(question: Promise<Value>, otherwise: string): Promise<Value> {
  return question.catch((cause) => {
    throw new SvcError('invalid_request', otherwise, { cause })
  })
}

/** Asks for confirmation; no answer is a no. */
export async function askWhether(message: string): Promise<boolean> {
  // Ctrl-C at the question is a no.
  return confirm({ message, default: false }, context).catch(() => false)
}

/** Asks for the name of a key. Throws if there is no answer. */
export async function askName(): Promise<string> {
  const question = input({ message: 'What is the key for?', required: true }, context)
  return requireAnswer(question, 'No name was given, so no key was created.')
}

/** Asks for the missing arguments of an avatar. Throws if there is no answer. */
export async function askForAvatar(photo: string | undefined, species: string | undefined) {
  const ask = async () => ({
    photo: photo ?? (await input({ message: 'Which photo? (a file or a URL)', required: true }, context)),
    species: species ?? (await select({ message: 'Is it a dog or a cat?', choices: ['dog', 'cat'] as const }, context)),
  })
  return requireAnswer(ask(), 'The questions were not answered, so nothing was created.')
}
