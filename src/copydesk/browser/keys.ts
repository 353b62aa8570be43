import { examples, getElement } from './page.js'

/** The actions of keys on an example: to comment on its text in a column, and to mark it as read. */
interface Actions {
  readonly comment: (example: HTMLElement, column: number) => void
  readonly tick: (example: HTMLElement) => void
}

/** Moves between examples and scenarios by keys, and acts on the current one. */
export function startKeys(actions: Actions): void {
  const enabled = getElement('keys', HTMLInputElement)
  document.addEventListener('keydown', (event) => {
    const { target } = event
    if (event.key === 'Escape' && target instanceof HTMLInputElement) target.blur()
    const isTyping =
      target instanceof Element && target.closest('input:not([type=checkbox]), textarea, select, dialog') !== null
    if (isTyping || !enabled.checked || event.ctrlKey || event.metaKey || event.altKey) return
    if (press(event.key, actions)) event.preventDefault()
  })
}

function press(key: string, { comment, tick }: Actions): boolean {
  const visible = examples.filter(({ hidden }) => !hidden)
  if (key === 'j' || key === 'k') return go(visible, key === 'j' ? 1 : -1)
  if (key === 'n' || key === 'p') {
    return go(
      visible.filter((one, index) => visible[index - 1]?.parentElement !== one.parentElement),
      key === 'n' ? 1 : -1,
    )
  }
  if (key === '/') {
    getElement('q', HTMLInputElement).focus()
    return true
  }
  const example = visible[findCurrent(visible)]
  if (key === 'x' && example !== undefined) {
    tick(example)
    return go(visible, 1)
  }
  if (!/^[123]$/.test(key) || example === undefined) return false
  comment(example, Number(key) - 1)
  return true
}

function go(stops: readonly HTMLElement[], step: 1 | -1): boolean {
  const active = document.activeElement?.closest('.example') ?? undefined
  const at = findCurrent(stops)
  const isOn = stops[at] === active
  // From between two stops, forward goes to the next one and backward to the previous one.
  const next = stops[active === undefined && step === 1 ? Math.max(0, at) : isOn || step === 1 ? at + step : at]
  next?.focus({ preventScroll: true })
  next?.scrollIntoView({ block: 'start' })
  return true
}

/**
 * Returns the index of the stop that has the focus, else of the last one before the focus, else of the first below the
 * filters.
 */
function findCurrent(stops: readonly HTMLElement[]): number {
  const active = document.activeElement?.closest('.example')
  if (active == null) {
    const bar = document.querySelector('.filters')?.getBoundingClientRect().bottom ?? 0
    return stops.findIndex((stop) => stop.getBoundingClientRect().top >= bar - 1)
  }
  return stops.findLastIndex(
    (stop) => stop === active || (stop.compareDocumentPosition(active) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0,
  )
}
