import type { Command, Option } from 'commander'

interface Offering {
  readonly offered?: readonly string[]
}

/**
 * An option for whose value shells offer words; whether it is one of them, or a list of them, its command says.
 * A command makes it: commander itself, named here, would be part of every bundle with such an option.
 */
export function offer(command: Command, flags: string, description: string, words: readonly string[]): Option {
  return Object.assign(command.createOption(flags, description), { offered: words } satisfies Offering)
}

export function findOffered(option: Option & Offering): readonly string[] | undefined {
  return option.offered ?? option.argChoices
}
