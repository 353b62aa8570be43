import { type Command, Option } from 'commander'
import { findEditor } from '../../config.js'
import type { Finish } from '../command.js'
import { listTextIds } from '../completion/ids.js'
import { argumentWithChoices } from '../completion/option-with-choices.js'
import { reviewFolder } from './review-folder.js'

/** Declares `svc insight review`, `comments` and `edit`; each loads its modules when it runs. */
export function registerReview(insight: Command, finish: Finish): void {
  insight
    .command('review')
    .description(
      'Write every text in three languages, compared with its sign-off, as one page to read and comment on; with --serve, to edit and approve in the browser.',
    )
    .addOption(new Option('--out <file>', 'file to write').default('review.html').conflicts('serve'))
    .option('--serve', 'serve the page until Ctrl-C, and keep everything that is typed into it')
    .addOption(new Option('--folder <folder>', 'folder of the comments and notes, with --serve').default(reviewFolder))
    .option('--no-open', 'with --serve, only print the address, as always in CI and without a display')
    .option('--json', 'with --serve, print the ready line as JSON')
    .addHelpText('after', reviewHelp)
    .action(async ({ folder, json, open, out, serve }: ReviewFlags) => {
      if (serve) {
        const { runServeReview } = await import('./serve-review.js')
        finish(await runServeReview({ folder, opens: open, json: json === true, now: () => new Date() }))
        return
      }
      const { runReview } = await import('./review.js')
      finish(await runReview(out, new Date()))
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
    .addArgument(
      argumentWithChoices(
        insight,
        '<scenario>',
        'a scenario as svc insight scenarios lists it, or another text of catalog/insight',
        listTextIds,
      ),
    )
    .option('--resume', 'resume the draft of an earlier edit, without asking')
    .option('--no-resume', 'start from the catalog; the draft is kept')
    .addHelpText('after', editHelp)
    .action(async (scenario: string, { resume }: { readonly resume?: boolean }) => {
      const { runEdit } = await import('./edit.js')
      finish(await runEdit(scenario, { editor: findEditor(), resume }))
    })
}

interface ReviewFlags {
  readonly out: string
  readonly serve?: true
  readonly folder: string
  readonly open: boolean
  readonly json?: true
}

const reviewHelp = `
With --serve, the page is on this machine only, at an address with a random key. Comments, marks and drafts are kept as they
are typed; only "Save to the catalog" and "Approve" write to catalog/. It needs a checkout of the project.

Examples:
  svc insight review --out review.html
  svc insight review --serve
`

const editHelp = `
The editor is the value of VISUAL or EDITOR, else vi. A text that is not valid is refused with the reason, and the draft is
kept. The next edit of the text offers it.

Exit codes: 0 saved or nothing changed, 1 not saved, 2 no terminal, an unknown text, or the editor failed.

Example:
  svc insight edit REST_NIGHT_POOR
`
