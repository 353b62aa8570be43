import type { Command, Option } from 'commander'
import { findChoices, type Suggestion } from './option-with-choices.js'

/** The candidates for a word: a list, or names that the shell finds. */
interface Candidates {
  readonly kind: 'words' | 'files' | 'folders' | 'programs'
  readonly words: readonly (readonly [word: string, description: string])[]
}

/**
 * Completes the last of the words after the program's name. Returns a line with the kind of the candidates, then one line
 * per word: the word, a tab and its description. bash sends `--name=value` as three words, other shells as one.
 */
export async function complete(program: Command, words: readonly string[]): Promise<string> {
  const current = words.at(-1) ?? ''
  const before = words.slice(0, -1)
  const { kind, words: candidates } = await findCandidates(program, before, current === '=' ? '' : current)
  const lines = candidates.map(([word, description]) => `${word}\t${description.replaceAll(/\s+/g, ' ')}`)
  return `${[kind, ...lines].join('\n')}\n`
}

async function findCandidates(program: Command, before: readonly string[], current: string): Promise<Candidates> {
  const { command, group, rest } = findCommand(program, before)
  const { option, isLiteral, mayEnd, position } = readWords(command, rest)
  if (option !== undefined && !(mayEnd && current.startsWith('-'))) return listValues(option, current)
  const [prefix = ''] = /^--[^=]+=/.exec(isLiteral ? '' : current) ?? []
  const inline = findOption(command, prefix.slice(0, -1))
  if (inline !== undefined) return listValues(inline, current, prefix)
  if (!isLiteral && current.startsWith('-')) return filter(listOptions(command), current)
  const commands = listCommands(command)
  if (commands.length > 0) return filter({ kind: 'words', words: commands }, current)
  // Only the built-in `help` is not among the commands of its group: its argument is one of them.
  if (group !== undefined && !group.commands.includes(command)) {
    const words = position === 0 ? listCommands(group).filter(([name]) => name !== 'help') : []
    return filter({ kind: 'words', words }, current)
  }
  const last = command.registeredArguments.at(-1)
  const argument = command.registeredArguments[position] ?? (last?.variadic ? last : undefined)
  return filter(toCandidates(await findChoices(argument), argument?.name()), current)
}

async function listValues(option: Option, current: string, prefix?: string): Promise<Candidates> {
  const [, placeholder] = /[<[](.*)[>\]]/.exec(option.flags) ?? []
  return filter(toCandidates(await findChoices(option), placeholder), current, prefix)
}

function filter({ kind, words }: Candidates, current: string, prefix = ''): Candidates {
  const prefixed = words.map(([word, description]) => [`${prefix}${word}`, description] as const)
  return { kind, words: prefixed.filter(([word]) => word.startsWith(current)) }
}

/** Follows the names of commands. `group` is the parent of the command. */
function findCommand(program: Command, words: readonly string[]) {
  let command = program
  let group: Command | undefined
  let depth = 0
  for (; depth < words.length; depth++) {
    const below = visibleCommands(command).find((one) => one.name() === words[depth])
    if (below === undefined) break
    group = command
    command = below
  }
  return { command, group, rest: words.slice(depth) }
}

/**
 * Reads the options and arguments before the current word: the option that waits for its value, and the position of the
 * argument. `mayEnd` is true after a value of an option that takes several: another option may follow.
 */
function readWords(command: Command, words: readonly string[]) {
  let option: Option | undefined
  let mayEnd = false
  let isLiteral = false
  let position = 0
  for (const word of words) {
    if (isLiteral) position++
    else if (word === '--') {
      isLiteral = true
      option = undefined
    } else if (word === '=') continue
    else if (option !== undefined && !(mayEnd && word.startsWith('-'))) {
      mayEnd = option.variadic
      if (!mayEnd) option = undefined
    } else if (word.startsWith('-')) {
      option = findOption(command, word)
      mayEnd = false
    } else position++
  }
  return { option, isLiteral, mayEnd, position }
}

/** Finds an option that takes a value. */
function findOption(command: Command, name: string): Option | undefined {
  return command.options.find(
    ({ long, short, required, optional }) => (required || optional) && (long === name || short === name),
  )
}

function listOptions(command: Command): Candidates {
  const options = command.createHelp().visibleOptions(command)
  const words = options.flatMap(({ long, short, description }) =>
    [long, short].flatMap((name) => (name === undefined ? [] : [[name, description] as const])),
  )
  return { kind: 'words', words }
}

function listCommands(command: Command) {
  return visibleCommands(command).map((below) => [below.name(), below.description()] as const)
}

function visibleCommands(command: Command): Command[] {
  return command.createHelp().visibleCommands(command)
}

/** The kind of a value, by its placeholder in the help. */
const kinds: readonly (readonly [RegExp, Candidates['kind']])[] = [
  [/^(files?|photo|snapshot|arguments)$/, 'files'],
  [/^folder$/, 'folders'],
  [/^program$/, 'programs'],
]

function toCandidates(choices: readonly Suggestion[] | undefined, placeholder = ''): Candidates {
  const kind = choices === undefined ? kinds.find(([pattern]) => pattern.test(placeholder))?.[1] : undefined
  return {
    kind: kind ?? 'words',
    words: (choices ?? []).map((choice) => (typeof choice === 'string' ? [choice, ''] : choice)),
  }
}
