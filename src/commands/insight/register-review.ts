import { join } from 'node:path'
import { type Command, Option } from 'commander'
import type { StoryWish } from '../../copydesk/story.js'
import { locales, metrics } from '../../insight/types.js'
import { type RenderFormatName, renderFormats } from '../../reports/insight/index.js'
import type { Finish } from '../command.js'
import { declareRemoved } from '../strict-command.js'
import type { DeskFlags } from './serve-review.js'

/** The folder in which `svc insight review --serve` keeps comments and notes, unless `--folder` names another folder. */
const reviewFolder = '.svc-review'

/** Declares `svc insight review`, `comments` and `story`; each loads its modules when it runs. */
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
    .action(async (flags: DeskFlags & { readonly out: string; readonly serve?: true }) => {
      if (flags.serve) finish(await (await import('./serve-review.js')).runServeReview(flags, () => new Date()))
      else finish(await (await import('./review.js')).runReview(flags.out, new Date()))
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

  insight
    .command('story')
    .description('Print the texts that the owner of one pet gets, in order of time, and mark what repeats.')
    .option('--pet <name>', 'name of the pet', 'Luna')
    .addOption(new Option('--species <species>', 'species of the pet').choices(['dog', 'cat']).default('dog'))
    .option('--seed <n>', 'number that selects the pet', '1')
    .option('--days <n>', 'number of days', '90')
    .addOption(new Option('--metric <metric>', 'one metric only').choices(metrics))
    .addOption(new Option('--locale <locale>', 'language of the texts').choices([...locales, 'all']).default('en-US'))
    .addOption(
      new Option('--format <format>', 'how to print them').choices(Object.keys(renderFormats)).default('text', 'text'),
    )
    .option('--json', 'the same as --format json')
    .addHelpText('after', storyHelp)
    .action(async ({ format, json, ...wish }: StoryFlags) => {
      const { runStory } = await import('./story.js')
      finish(await runStory(wish, json ? 'json' : format))
    })

  declareRemoved(insight, 'edit', 'svc insight review --serve edits the texts.')
}

interface StoryFlags extends StoryWish {
  readonly format: RenderFormatName
  readonly json?: true
}

const storyHelp = `
The same pet, seed and days print the same texts. Each morning has the last night and the day before; Mondays also have the week,
and the first of a month the month. The texts of a day agree with those of its week and month: if two contradict each other, their
words do. A sentence counts as the same if only its numbers and dates differ.

Examples:
  svc insight story --days 90 --pet Luna --seed 7
  svc insight story --metric rest --locale es
  svc insight story --format html > story.html
`

const reviewHelp = `
With --serve, the page is on this machine only, at an address with a random key. Comments, marks and drafts are kept as they
are typed; only "Save to the catalog" and "Approve" write to catalog/. It needs a checkout of the project.

Examples:
  svc insight review --out review.html
  svc insight review --serve
`
