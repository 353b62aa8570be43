import { escapeHtml } from '../../text/html.js'
import type { ReviewScenario } from './review.js'
import { capitalize } from './words.js'

/** Renders the list of the sentences, with what was read of each; the script of the page counts. */
export function renderContents(scenarios: readonly ReviewScenario[]): string {
  const rows = scenarios.map(
    ({ condition, id }) =>
      `<li><a href="#${id}" data-scenario="${id}">${escapeHtml(capitalize(condition))} <span class="count"></span></a></li>`,
  )
  return `<nav class="contents" aria-label="Contents">
<details open>
<summary class="contents-title">Contents <output id="read-count" aria-live="off"></output></summary>
<progress id="read" value="0" max="1" aria-label="Texts read"></progress>
<ol>${rows.join('\n')}</ol>
</details>
</nav>`
}
