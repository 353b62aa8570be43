import { confirm, select } from '@inquirer/prompts'
import type { KeptDraft } from './draft-file.js'

const toStderr = () => ({ output: process.stderr })

/** Asks whether to resume a kept draft. Undefined if the reviewer pressed Ctrl-C. */
export async function askAboutDraft(kept: KeptDraft): Promise<'resume' | 'drop' | 'leave' | undefined> {
  process.stderr.write(`${describeKept(kept)}\n`)
  const question = {
    message: 'Resume it?',
    choices: [
      { name: 'Resume the draft', value: 'resume' },
      { name: 'Start from the catalog, and keep the draft for later', value: 'leave' },
      { name: 'Start from the catalog, and delete the draft', value: 'drop' },
    ] as const,
  }
  try {
    return await select(question, toStderr())
  } catch (error) {
    if (isCancelled(error)) return undefined
    throw error
  }
}

/** Shows a problem and asks whether to continue editing. */
export function askToContinue(problem: string): Promise<boolean> {
  process.stderr.write(`\n${problem.trimEnd()}\n`)
  return confirm({ message: 'Continue editing?' }, toStderr())
}

/** Asks what to do with an edited text. */
export function askWhatNext(file: string): Promise<'save' | 'edit' | 'leave'> {
  return select(
    {
      message: 'What next?',
      choices: [
        { name: `Save it to ${file}`, value: 'save' },
        { name: 'Continue editing', value: 'edit' },
        { name: 'Keep the draft, and leave the catalog as it is', value: 'leave' },
      ] as const,
    },
    toStderr(),
  )
}

/** True if a question was cancelled with Ctrl-C. */
export const isCancelled = (error: unknown) => error instanceof Error && error.name === 'ExitPromptError'

/** Says that a text has a draft, and from when. */
export const describeKept = ({ savedAt }: KeptDraft) =>
  `There is a draft of this text from ${momentFormat.format(savedAt)} that was not saved to the catalog.`

const momentFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short' })
