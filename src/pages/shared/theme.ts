import { get } from './dom.js'

const stored = 'svc.theme'
const dark = matchMedia('(prefers-color-scheme: dark)')

/** Starts the button `#theme`, which switches between light and dark. Until it is used, the page follows the system. */
export function startTheme(): void {
  const button = get(HTMLButtonElement, '#theme')
  const show = () => {
    const chosen = localStorage.getItem(stored)
    document.documentElement.style.colorScheme = chosen ?? ''
    button.textContent = isDark(chosen) ? 'Light' : 'Dark'
    button.ariaLabel = isDark(chosen) ? 'Light theme' : 'Dark theme'
  }
  button.addEventListener('click', () => {
    localStorage.setItem(stored, isDark(localStorage.getItem(stored)) ? 'light' : 'dark')
    show()
  })
  dark.addEventListener('change', show)
  show()
}

function isDark(chosen: string | null): boolean {
  return chosen === null ? dark.matches : chosen === 'dark'
}
