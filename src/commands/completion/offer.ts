import { Option } from 'commander'

interface Offering {
  readonly offered?: readonly string[]
}

/** An option for whose value shells offer words; whether it is one of them, or a list of them, its command says. */
export function offer(flags: string, description: string, words: readonly string[]): Option {
  return Object.assign(new Option(flags, description), { offered: words } satisfies Offering)
}

export function findOffered(option: Option & Offering): readonly string[] | undefined {
  return option.offered ?? option.argChoices
}
