import type { Command, Option } from 'commander'

interface Suggestions {
  readonly suggested?: readonly string[]
}

/**
 * Creates an option whose value shells complete with `choices`. Its command checks the value, which may also be a list.
 * `command` creates the option: an import of commander would add it to every bundle with such an option.
 */
export function optionWithChoices(
  command: Command,
  flags: string,
  description: string,
  choices: readonly string[],
): Option {
  return Object.assign(command.createOption(flags, description), { suggested: choices } satisfies Suggestions)
}

export function findChoices(option: Option & Suggestions): readonly string[] | undefined {
  return option.suggested ?? option.argChoices
}
