/** Gives every command a button that copies it. */
export function addCopyButtons(): void {
  for (const block of document.querySelectorAll<HTMLElement>('pre.command, pre.bash')) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'copy'
    label(block, button, 'Copy')
    button.addEventListener('click', () => void copy(block, button))
    const frame = document.createElement('div')
    frame.className = 'copyable'
    block.replaceWith(frame)
    frame.append(block, button)
  }
}

async function copy(block: HTMLElement, button: HTMLButtonElement): Promise<void> {
  const isDone = await navigator.clipboard?.writeText(block.textContent ?? '').then(
    () => true,
    // The browser may refuse.
    () => false,
  )
  if (isDone !== true) getSelection()?.selectAllChildren(block)
  label(block, button, isDone === true ? 'Copied' : 'Selected')
  const said = document.querySelector('#said')
  if (said !== null) said.textContent = isDone === true ? 'Copied.' : 'Selected: copy it with the keyboard.'
  setTimeout(() => label(block, button, 'Copy'), 2000)
}

/** What the button says; to who cannot see beside what it stands, of which command. */
function label(block: HTMLElement, button: HTMLButtonElement, text: string): void {
  button.textContent = text
  button.setAttribute('aria-label', `${text} ${block.getAttribute('aria-label')?.toLowerCase() ?? 'code'}`)
}
