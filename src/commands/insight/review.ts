import { loadInsightCopy, readInsightSignoff, readInsightTexts } from '../../catalog/catalog.js'
import { readFixtures } from '../../copydesk/fixtures.js'
import { renderReviewPage } from '../../copydesk/page/page.js'
import { createReview } from '../../copydesk/page/review.js'
import { parseSignoff } from '../../copydesk/signoff/signoff.js'
import { writeWhole } from '../../runtime/output.js'
import { count, toPrintable } from '../../text/words.js'
import type { CommandResult } from '../command.js'

/**
 * `svc insight review`: writes every text in every language, compared with its sign-off, as one page to open from disk.
 */
export async function runReview(path: string, now: Date): Promise<CommandResult> {
  const review = createReview({
    texts: readInsightTexts(),
    copy: await loadInsightCopy(),
    signoff: parseSignoff(readInsightSignoff()),
    fixtures: await readFixtures(),
  })
  const page = renderReviewPage(review, now.toISOString().slice(0, 10))
  await writeWhole(path, page)
  const examples = review.scenarios.reduce((sum, scenario) => sum + scenario.examples.length, 0)
  const size = `${Math.ceil(Buffer.byteLength(page) / 1024)} KiB`
  process.stderr.write(
    `${toPrintable(path)}: ${count(review.scenarios.length, 'sentence')}, ${count(examples, 'example')} in three languages, ${size}. Open it in a browser.\n`,
  )
  return 0
}
