import { confirm } from '@inquirer/prompts'

/** Asks a person at the terminal on standard error; no answer is a no. */
export async function askWhether(message: string): Promise<boolean> {
  try {
    return await confirm({ message, default: false }, { output: process.stderr })
  } catch {
    // Ctrl-C at the question is a no.
    return false
  }
}
