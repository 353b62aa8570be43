import type { Argument, Command, Option } from 'commander'
import { findOffered } from './offer.js'

/** What a shell offers for a value: these words, names of its own, or nothing. */
export type Values =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'files' | 'folders' | 'programs' | 'nothing' }

export interface OptionShape {
  /** `--json`, and `-h` if there is such a form. */
  readonly names: readonly string[]
  readonly summary: string
  /** Undefined if it takes none. */
  readonly values: Values | undefined
  readonly isRepeatable: boolean
}

export interface ArgumentShape {
  readonly name: string
  readonly values: Values
  readonly isRepeatable: boolean
}

/** A command as a shell needs it. Commands that have others below take no other option than for help. */
export interface CommandShape {
  /** Names from the program's down. */
  readonly path: readonly string[]
  readonly summary: string
  readonly options: readonly OptionShape[]
  readonly arguments: readonly ArgumentShape[]
  readonly commands: readonly CommandShape[]
}

export function shapeOf(command: Command, above: readonly string[] = [], group?: Command): CommandShape {
  const help = command.createHelp()
  const path = [...above, command.name()]
  const isHelp = group !== undefined && !group.commands.includes(command)
  return {
    path,
    summary: toSummary(command.description()),
    options: isHelp ? [] : help.visibleOptions(command).map(toOptionShape),
    arguments: isHelp ? [toHelpArgument(group)] : command.registeredArguments.map(toArgumentShape),
    commands: isHelp ? [] : help.visibleCommands(command).map((below) => shapeOf(below, path, command)),
  }
}

/** A command and all below it. */
export function listCommands(command: CommandShape): CommandShape[] {
  return [command, ...command.commands.flatMap(listCommands)]
}

/** A text in the single quotes of sh, bash and zsh. */
export function quoteSingle(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** What the command `help`, which is there by itself, may be asked about. */
function toHelpArgument(group: Command): ArgumentShape {
  const words = group
    .createHelp()
    .visibleCommands(group)
    .map((below) => below.name())
  return {
    name: 'command',
    values: { kind: 'words', words: words.filter((name) => name !== 'help') },
    isRepeatable: false,
  }
}

function toOptionShape(option: Option): OptionShape {
  const { short, long, description, flags, required, optional, variadic } = option
  return {
    names: [long, short].filter((name) => name !== undefined),
    summary: toSummary(description),
    values: required || optional ? toValues(findOffered(option), /[<[](.*)[>\]]/.exec(flags)?.[1] ?? '') : undefined,
    isRepeatable: variadic,
  }
}

function toArgumentShape(argument: Argument): ArgumentShape {
  const name = argument.name()
  return { name, values: toValues(argument.argChoices, name), isRepeatable: argument.variadic }
}

/** By the words that help shows for a value: each says what kind it is. */
const kinds: readonly (readonly [RegExp, 'files' | 'folders' | 'programs'])[] = [
  [/^(files?|photo|snapshot|arguments)$/, 'files'],
  [/^folder$/, 'folders'],
  [/^program$/, 'programs'],
]

function toValues(choices: readonly string[] | undefined, placeholder: string): Values {
  if (choices !== undefined) return { kind: 'words', words: choices }
  return { kind: kinds.find(([pattern]) => pattern.test(placeholder))?.[1] ?? 'nothing' }
}

/** One line. */
function toSummary(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}
