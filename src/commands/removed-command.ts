import { Command } from 'commander'
import { SvcError } from '../errors.js'

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
