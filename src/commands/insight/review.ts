import { loadInsightCopy, readInsightSignoff, readInsightTexts } from '../../catalog.js'
import { renderReviewPage } from '../../review/page.js'
import { createReview, type Review } from '../../review/review.js'
import { parseSignoff } from '../../review/signoff.js'
import type { CommandResult } from '../command.js'
import { openFile } from '../output/stream.js'
import { count } from '../output/words.js'
import { readFixtures } from './review-input.js'

/** `svc insight review`: every text in every language as one page to open from disk, beside what was signed off. */
export async function runReview(path: string, now: Date): Promise<CommandResult> {
  const review = await readReview()
  const page = renderReviewPage(review, now.toISOString().slice(0, 10))
  const output = openFile(path)
  output.write(page)
  await output.close()
  const examples = review.scenarios.reduce((sum, scenario) => sum + scenario.examples.length, 0)
  const size = `${Math.ceil(Buffer.byteLength(page) / 1024)} KiB`
  process.stderr.write(
    `${path}: ${count(review.scenarios.length, 'sentence')}, ${count(examples, 'example')} in three languages, ${size}. Open it in a browser.\n`,
  )
  return 0
}

/** What reviewers read, from the catalog and the fixtures that travel with the program. */
async function readReview(): Promise<Review> {
  return createReview({
    texts: readInsightTexts(),
    copy: await loadInsightCopy(),
    signoff: parseSignoff(readInsightSignoff()),
    fixtures: await readFixtures(),
  })
}
