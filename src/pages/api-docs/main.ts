import { makeCopyButton } from '../shared/copy.js'
import { make } from '../shared/dom.js'
import { startTheme } from '../shared/theme.js'
import { markSection } from './contents.js'

/** The server address in the texts, replaced by the reader's. */
const writtenBase = 'http://127.0.0.1:8787'

/** The base URL of the server, which may be below a path. */
const base = location.href.replace(/\/api-docs(?:[?#].*)?$/, '')

for (const block of document.querySelectorAll('pre code')) {
  block.textContent = (block.textContent ?? '').replaceAll(writtenBase, base)
}
for (const block of document.querySelectorAll<HTMLElement>('pre.command, pre.bash')) {
  const button = makeCopyButton('Copy', block)
  // The caption names the command for screen readers.
  button.setAttribute('aria-describedby', block.closest('figure')?.querySelector('figcaption')?.id ?? '')
  const frame = make('div', { class: 'copyable' })
  block.replaceWith(frame)
  frame.append(block, button)
}
startTheme()
markSection()

const contents = document.querySelector<HTMLDetailsElement>('.contents details')
const narrow = matchMedia('(width < 62rem)')
const fold = () => contents?.toggleAttribute('open', !narrow.matches)
narrow.addEventListener('change', fold)
fold()
// On a narrow screen the contents are above the text, so they close when a section is chosen.
contents?.addEventListener('click', ({ target }) => {
  if (target instanceof HTMLAnchorElement && narrow.matches) contents.open = false
})
