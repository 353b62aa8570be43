const stored = 'svc.language'

/** Makes the tabs of all examples one choice, which the browser keeps. CSS shows the panels of the language. */
export function startTabs(): void {
  const tabs = [...document.querySelectorAll<HTMLButtonElement>('[data-tab]')]
  const show = (language: string | undefined) => {
    document.documentElement.dataset.language = language
    for (const tab of tabs) {
      const isShown = tab.dataset.tab === language
      tab.ariaSelected = String(isShown)
      tab.tabIndex = isShown ? 0 : -1
    }
  }
  const choose = (tab: HTMLButtonElement) => {
    const { top } = tab.getBoundingClientRect()
    localStorage.setItem(stored, tab.dataset.tab ?? '')
    show(tab.dataset.tab)
    // The examples above may be of another height now: the one in use stays where it is.
    scrollBy({ top: tab.getBoundingClientRect().top - top, behavior: 'instant' })
  }
  for (const tab of tabs) {
    tab.addEventListener('click', () => choose(tab))
    tab.addEventListener('keydown', ({ key }) => {
      const others = [...(tab.parentElement?.querySelectorAll<HTMLButtonElement>('[data-tab]') ?? [])]
      const step = { ArrowLeft: -1, ArrowRight: 1 }[key]
      const next = step === undefined ? undefined : others.at((others.indexOf(tab) + step) % others.length)
      if (next === undefined) return
      choose(next)
      next.focus()
    })
  }
  show(document.documentElement.dataset.language)
  addEventListener('storage', ({ key, newValue }) => {
    if (key === stored && newValue !== null) show(newValue)
  })
}
