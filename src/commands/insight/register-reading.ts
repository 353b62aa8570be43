import type { Command } from 'commander'
import { findEditor } from '../../config.js'
import type { CommandModule } from '../command.js'

type Finish = Parameters<CommandModule['register']>[1]

/** Declares what copy reviewers read, comment and edit with; each loads its own parts when it runs. */
export function registerReading(insight: Command, finish: Finish): void {
  insight
    .command('review')
    .description('Write every text in three languages, beside what was signed off, as one page to read and comment.')
    .option('--out <file>', 'where to', 'review.html')
    .addHelpText('after', '\nExample:\n  svc insight review --out review.html\n')
    .action(async (flags: { readonly out: string }) => {
      const { runReview } = await import('./review.js')
      finish(await runReview(flags.out, new Date()))
    })

  insight
    .command('comments')
    .description(
      'List what reviewers wrote on the review page, by place in the catalog, beside the texts as they are now.',
    )
    .argument('<files...>', 'files that the page saved, or - for standard input')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  svc insight comments comments-2026-10-14.json\n')
    .action(async (files: string[], flags: { readonly json?: boolean }) => {
      const { runComments } = await import('./comments.js')
      finish(await runComments(files, flags.json === true))
    })

  insight
    .command('edit')
    .description('Edit a text in the three languages, see what it then says, and write it back. At a terminal.')
    .argument('<scenario>', 'a sentence as svc insight scenarios lists it, or another text of catalog/insight')
    .option('--resume', 'go on with the draft that an earlier edit left, without asking')
    .option('--no-resume', 'begin with the text of the catalog; the draft stays where it is')
    .addHelpText('after', editHelp)
    .action(async (scenario: string, { resume }: { readonly resume?: boolean }) => {
      const { runEdit } = await import('./edit.js')
      finish(await runEdit(scenario, { editor: findEditor(), ...(resume === undefined ? {} : { resume }) }))
    })
}

const editHelp = `
The editor is the one of the variables VISUAL or EDITOR, else vi. A text that cannot be used is refused with a sentence that
says why, and the draft is kept: nothing is lost. The next edit of the text offers it.

Exit codes: 0 saved or nothing changed, 1 not saved, 2 no terminal, no such text, or the editor failed.

Example:
  svc insight edit REST_NIGHT_POOR
`
