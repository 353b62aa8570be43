import { loadInsightCopy } from '../../catalog/catalog.js'
import { type StoryWish, tellStory } from '../../copydesk/story.js'
import { type RenderFormatName, renderFormats } from '../../reports/insight/index.js'
import { openStdout } from '../../runtime/output.js'
import { createPaint } from '../../runtime/style.js'
import { toJsonText } from '../../text/words.js'
import type { CommandResult } from '../command.js'

/** `svc insight story`: prints the texts of one pet in order of time, and counts what repeats. */
export async function runStory(wish: StoryWish, format: RenderFormatName): Promise<CommandResult> {
  const { texts, ...counts } = tellStory(wish, await loadInsightCopy())
  const { stdout } = process
  const output = openStdout(stdout)
  if (format === 'json') {
    const rows = texts.flatMap(({ insights, title, mark, ...text }) =>
      insights.map(({ locale, scenario, status, summary }) => ({ ...text, locale, scenario, status, summary })),
    )
    output.write(`${toJsonText({ texts: rows, ...counts })}\n`)
  } else {
    const columns = stdout.isTTY ? stdout.columns : undefined
    const renderer = renderFormats[format](output.write, { paint: createPaint(stdout), columns })
    for (const { date, insights, mark, title } of texts) {
      const source = `${date}  ${title}`
      renderer.payload({ source, index: 0, insights, ...(mark !== '' && { variant: mark }) })
    }
    output.write(format === 'html' ? `<p>${counts.summary}</p>\n` : `${counts.summary}\n`)
    renderer.end()
  }
  await output.close()
  return 0
}
