/** Expands the facts for print. */
export function startPrint(): void {
  const closed: HTMLDetailsElement[] = []
  addEventListener('beforeprint', () => {
    closed.push(...document.querySelectorAll<HTMLDetailsElement>('.about details:not([open])'))
    for (const details of closed) details.open = true
  })
  addEventListener('afterprint', () => {
    for (const details of closed.splice(0)) details.open = false
  })
}
