import { getKey } from '../demo/key.js'
import { copyFrom } from '../shared/copy.js'
import { base } from './base.js'

/** The server and the key in the texts, replaced by those of the reader. */
const writtenBase = 'http://127.0.0.1:8787'
const writtenKey = 'svc_…'

/** Names this server in every example, and lets the reader copy it, with the key of this tab. */
export function startCode(): void {
  const key = getKey()
  for (const block of document.querySelectorAll('pre code')) {
    const text = block.textContent ?? ''
    if (text.includes(writtenBase)) block.textContent = text.replaceAll(writtenBase, base)
  }
  for (const button of document.querySelectorAll<HTMLButtonElement>('button.copy')) {
    const block = button.previousElementSibling
    if (!(block instanceof HTMLElement)) continue
    const isKeyed = key !== '' && block.textContent?.includes(writtenKey) === true
    // The key is copied and not shown: others may see the screen.
    if (isKeyed) button.textContent = 'Copy with the key of this tab'
    copyFrom(button, block, (text) => (isKeyed ? text.replaceAll(writtenKey, key) : text))
  }
}
