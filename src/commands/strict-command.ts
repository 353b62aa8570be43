import { type AddHelpTextContext, type AddHelpTextPosition, Command, type ErrorOptions } from 'commander'
import { SvcError } from '../errors.js'
import { findNearest } from '../text/spelling.js'

/** A command that reports unknown words before missing ones, suggests only close matches, and wraps the prose of its help. */
export class StrictCommand extends Command {
  constructor(name?: string) {
    super(name)
    this.on('command:*', ([word = '']: readonly string[]) => {
      const names = this.commands.flatMap((command) => [command.name(), ...command.aliases()])
      this.error(`error: unknown command '${word}'${suggest(word, names)}`, { code: 'commander.unknownCommand' })
    })
  }

  override createCommand(name?: string): StrictCommand {
    return new StrictCommand(name)
  }

  /** Adds the options that commands share, in the order of the declaration. */
  use<Details extends unknown[]>(add: (command: this, ...details: Details) => unknown, ...details: Details): this {
    add(this, ...details)
    return this
  }

  /** Adds a text to the help, its paragraphs wrapped at the width of the terminal. Indented lines stay as they are. */
  override addHelpText(position: AddHelpTextPosition, text: string | ((context: AddHelpTextContext) => string)): this {
    return super.addHelpText(position, (context) => {
      const { getErrHelpWidth, getOutHelpWidth } = this.configureOutput()
      const width = (context.error ? getErrHelpWidth : getOutHelpWidth)?.() ?? 80
      const words = typeof text === 'string' ? text : text(context)
      return words.replace(/^\S.*(?:\n\S.*)*/gm, (lines) =>
        this.createHelp().boxWrap(lines.replaceAll('\n', ' '), width),
      )
    })
  }

  override parseOptions(args: string[]): ReturnType<Command['parseOptions']> {
    const { operands, unknown } = super.parseOptions(args)
    // No option begins with a digit: the command reads a negative number, and says what is wrong with it.
    const areOperands = this.registeredArguments.length > 0 && !unknown.some((word) => /^-\D/.test(word))
    const parsed = areOperands ? { operands: [...operands, ...unknown], unknown: [] } : { operands, unknown }
    // An option that is unknown to a group may belong to one of its commands.
    if (this.commands.length === 0) this.refuseUnknown(parsed.unknown)
    return parsed
  }

  override error(message: string, options?: ErrorOptions): never {
    const [, word = '', choices = ''] = /argument '(.*)' is invalid\. Allowed choices are (.*)\.$/s.exec(message) ?? []
    super.error(`${message}${choices === '' ? '' : suggest(word, choices.split(', '))}`, options)
  }

  private refuseUnknown(words: readonly string[]): void {
    // Without its value, which may be a secret.
    const flag = words[0]?.split('=', 1)[0]
    if (flag === undefined || words.some((word) => word === '--help' || word === '-h')) return
    const flags = this.createHelp()
      .visibleOptions(this)
      .flatMap(({ long }) => long ?? [])
    this.error(`error: unknown option '${flag}'${suggest(flag, flags)}`, { code: 'commander.unknownOption' })
  }
}

function suggest(word: string, names: readonly string[]): string {
  const nearest = findNearest(
    word.replace(/^--/, ''),
    names.map((name) => name.replace(/^--/, '')),
  )
  if (nearest === undefined) return ''
  return `\n(Did you mean ${word.startsWith('--') ? `--${nearest}` : nearest}?)`
}

/** Declares a command that was removed. With its former options, too, it answers with the sentence on its replacement. */
export function declareRemoved(parent: Command, name: string, replacement: string): void {
  // A StrictCommand would refuse the options.
  const removed = new Command(name)
    .copyInheritedSettings(parent)
    .description(`Removed: ${replacement}`)
    .argument('[words...]')
    .allowUnknownOption()
    .action(() => {
      throw new SvcError('invalid_request', `svc ${parent.name()} ${name} was removed: ${replacement}`)
    })
  parent.addCommand(removed, { hidden: true })
}
