import type { Command } from 'commander'
import { findEditor } from '../../config.js'
import type { Finish } from '../command.js'

/** Declares `svc insight review`, `comments` and `edit`; each loads its modules when it runs. */
export function registerReview(insight: Command, finish: Finish): void {
  insight
    .command('review')
    .description('Write every text in three languages, compared with its sign-off, as one page to read and comment on.')
    .option('--out <file>', 'file to write', 'review.html')
    .addHelpText('after', '\nExample:\n  svc insight review --out review.html\n')
    .action(async (flags: { readonly out: string }) => {
      const { runReview } = await import('./review.js')
      finish(await runReview(flags.out, new Date()))
    })

  insight
    .command('comments')
    .description('List the comments of the review page in the order of the catalog, with the current texts.')
    .argument('<files...>', 'files that the page saved, or - for standard input')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  svc insight comments comments-2026-10-14.json\n')
    .action(async (files: string[], flags: { readonly json?: boolean }) => {
      const { runComments } = await import('./comments.js')
      finish(await runComments(files, flags.json === true))
    })

  insight
    .command('edit')
    .description('Edit a text in three languages, preview it, and save it to the catalog. Needs a terminal.')
    .argument('<scenario>', 'a scenario as svc insight scenarios lists it, or another text of catalog/insight')
    .option('--resume', 'resume the draft of an earlier edit, without asking')
    .option('--no-resume', 'start from the catalog; the draft is kept')
    .addHelpText('after', editHelp)
    .action(async (scenario: string, { resume }: { readonly resume?: boolean }) => {
      const { runEdit } = await import('./edit.js')
      finish(await runEdit(scenario, { editor: findEditor(), resume }))
    })
}

const editHelp = `
The editor is the value of VISUAL or EDITOR, else vi. A text that is not valid is refused with the reason, and the draft is
kept. The next edit of the text offers it.

Exit codes: 0 saved or nothing changed, 1 not saved, 2 no terminal, an unknown text, or the editor failed.

Example:
  svc insight edit REST_NIGHT_POOR
`
