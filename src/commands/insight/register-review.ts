import { join } from 'node:path'
import { type Command, Option } from 'commander'
import type { Finish } from '../command.js'
import { declareRemoved } from '../removed-command.js'

/** The folder in which `svc insight review --serve` keeps comments and notes, unless `--folder` names another folder. */
const reviewFolder = '.svc-review'

/** Declares `svc insight review` and `comments`; each loads its modules when it runs. */
export function registerReview(insight: Command, finish: Finish): void {
  insight
    .command('review')
    .description(
      'Write every text in three languages, compared with its sign-off, as one page to read and send; with --serve, to comment, edit and approve in the browser.',
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
    .argument('<files...>', 'files of comments, or - for standard input')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  svc insight comments .svc-review/comments.json\n')
    .action(async (files: string[], flags: { readonly json?: boolean }) => {
      const { runComments } = await import('./comments.js')
      finish(await runComments(files, join(reviewFolder, 'comments.json'), flags.json === true))
    })

  declareRemoved(insight, 'edit', 'svc insight review --serve edits the texts.')
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
