import { locales } from '../../insight/types.js'
import { escapeHtml } from '../../text/html.js'
import type { ServedData } from './data.js'
import { localeNames } from './words.js'

/** Renders the instructions, for a page from disk or for one that a program serves. */
export function renderHelp(served: ServedData | undefined): string {
  const kept =
    served === undefined
      ? '<p>This page is for reading. To comment, edit and approve, run <code>svc insight review --serve</code> in a checkout of the project.</p>'
      : `<p>Choose <b>Comment</b> under a text to say what should change, or <b>Edit</b> to change it: you see at once what each example says then. A draft changes nothing until you save it to the catalog. <b>Approve</b> shows every change and signs it with your name.</p>
<p>Everything you type is kept as you type it, also if the browser or the program ends. Comments are in <code>${escapeHtml(served.commentFile)}</code>.</p>`
  return `<details>
<summary>How to use this page</summary>
<p>This page shows every sentence that the product can say, with each of its variants, in three languages side by side. The pets and numbers are fictional. “Derived” means that no sample file has exactly this case: it is a sample with the change named.</p>
<p>Under <b>Languages</b>, choose the one that you review. Tick <b>Read</b> under each text that you have read: the list of contents counts them, and a text that changes loses its tick.</p>
${kept}
<p>A text that differs from its last sign-off shows the difference: <del>removed</del><ins>added</ins>; one that this version changed has it under “Changed since”. The samples that differ from their sign-off come first, each with the wording that causes the difference.</p>
<table class="keys"><caption>Keys</caption>
<tr><th scope="row"><kbd>j</kbd> <kbd>k</kbd></th><td>next, previous example</td></tr>
<tr><th scope="row"><kbd>n</kbd> <kbd>p</kbd></th><td>next, previous sentence</td></tr>
<tr><th scope="row"><kbd>x</kbd></th><td>mark this example as read, and go to the next</td></tr>
${served === undefined ? '' : '<tr><th scope="row"><kbd>1</kbd> <kbd>2</kbd> <kbd>3</kbd></th><td>comment on the Chinese, English, Spanish text of this example</td></tr>'}
<tr><th scope="row"><kbd>/</kbd></th><td>search</td></tr>
<tr><th scope="row"><kbd>Esc</kbd></th><td>leave the search${served === undefined ? '' : ', close an empty comment'}</td></tr>
</table>
<p><label><input type="checkbox" id="keys" checked> Use these keys</label></p>
</details>`
}

/** Renders the dialog in which a reviewer approves; the script of the page fills in what changed. */
export function renderApproval(): string {
  const boxes = locales.map(
    (locale) => `<label><input type="checkbox" name="locale" value="${locale}"> ${localeNames[locale]}</label>`,
  )
  return `<dialog id="approval" aria-labelledby="approval-title">
<form method="dialog">
<h2 id="approval-title">Approve</h2>
<fieldset><legend>Languages that you approve</legend>${boxes.join(' ')}</fieldset>
<div id="signable" tabindex="0" role="region" aria-label="Changes to approve" aria-live="polite"></div>
<div class="signature">
<label>Your name <input name="by" autocomplete="name" maxlength="80" required></label>
<label hidden>New label of the changed texts <input name="label" spellcheck="false"></label>
</div>
<p id="refused" role="alert"></p>
<p class="actions"><button type="submit" class="primary" value="sign">Approve</button> <button type="button" data-action="close">Cancel</button></p>
</form>
</dialog>`
}
