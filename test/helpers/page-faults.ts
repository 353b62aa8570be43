import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { openShared } from './browser-suite.js'

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** The violations on each open page so far. */
const faults = new WeakMap<Page, string[]>()

/** Opens a page and records violations: of its policy, console errors, exceptions, requests to other origins. */
export async function openPage(
  browser: Browser,
  url: string,
  { width = 1280, height = 720, prepare }: PageOptions = {},
): Promise<Page> {
  const permissions = ['clipboard-read', 'clipboard-write']
  const page = await openShared(browser, { width, height }, { reducedMotion: 'reduce', permissions })
  // A busy machine takes its time.
  page.setDefaultTimeout(100_000)
  const found: string[] = []
  faults.set(page, found)
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) found.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => found.push(`error: ${error.message}`))
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    if (origin !== new URL(url).origin && protocol !== 'blob:') found.push(`request to ${request.url()}`)
  })
  await prepare?.(page)
  await page.goto(url)
  return page
}

export interface PageOptions {
  readonly width?: number
  readonly height?: number
  /** Is called before the page is loaded. */
  readonly prepare?: (page: Page) => Promise<unknown>
}

/** Returns the recorded violations. */
export const listRecorded = (page: Page): readonly string[] => faults.get(page) ?? []

/** Returns the recorded violations, those that axe finds, and whether the page is wider than the screen. */
export async function findFaults(page: Page, ...look: Look): Promise<string[]> {
  const violations = await findViolations(page, ...look)
  const isTooWide = await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth')
  return [...listRecorded(page), ...violations, ...(isTooWide ? ['wider than the screen'] : [])]
}

/** The rules of axe, by their tags or by their IDs, and selectors of the parts of the page that it looks at: all by default. */
type Look = [runOnly?: readonly string[], within?: readonly string[]]

/** Returns what axe finds on the page as it is once fonts and transitions have ended. */
export async function findViolations(page: Page, ...[runOnly, within]: Look): Promise<string[]> {
  // The debugger is not restricted by the page's policy. Scripts are strings, since this project has no browser types.
  await page.evaluate(settle)
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(`${axe}; ${chooseTexts}`)
  await page.evaluate(markTexts)
  const options = JSON.stringify({ resultTypes: ['violations'], preload: false, runOnly })
  const context = within === undefined ? 'document' : JSON.stringify({ include: within })
  const { violations } = await page.evaluate<AxeResult>(`axe.run(${context}, ${options})`)
  return violations.map(describeViolation)
}

/** The rules for a page that people work on for hours. */
export const strictRules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** The rules that do not depend on colors and sizes, as far as their tags tell. */
export const wordRules = ['wcag2a', 'best-practice']

/** The rules that depend on colors: another theme of a page can break no others. */
export const colorRules = ['color-contrast', 'link-in-text-block']

/** The rules that depend on colors and sizes: a page in another theme and of another width can break no others. */
export const lookRules = [...colorRules, 'target-size', 'scrollable-region-focusable']

/** The attribute of the texts whose contrast axe computes. */
const mark = 'data-contrast'

const chooseTexts = `axe.configure({ rules: [{ id: 'color-contrast', selector: '[${mark}]' }] })`

/**
 * Marks the first and the last text of each kind: the contrast of every text takes half of the time of axe. Texts are of one
 * kind if nothing that decides their contrast differs: their own styles, and those of each background that they are on.
 */
const markTexts = `
  {
    const numbers = new Map()
    const toNumber = (...parts) => {
      const key = parts.join()
      return numbers.get(key) ?? numbers.set(key, numbers.size).get(key)
    }
    const grounds = new Map()
    const kinds = new Map()
    const visit = (element) => {
      element.removeAttribute('${mark}')
      const style = getComputedStyle(element)
      const parent = element.assignedSlot ?? element.parentElement ?? element.getRootNode().host
      const own = toNumber(style.backgroundColor, style.backgroundImage, style.opacity, style.position, style.filter)
      const ground = own === plain ? grounds.get(parent) : toNumber(grounds.get(parent), own)
      grounds.set(element, ground)
      if (isText(element) && element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })) {
        const isDisabled = element.closest(':disabled, [aria-disabled=true], [inert], label:has(:disabled)') !== null
        const { color, fontSize, fontWeight, textShadow, textIndent } = style
        const kind = toNumber(ground, color, fontSize, fontWeight, textShadow, textIndent, isDisabled)
        kinds.set(kind, [kinds.get(kind)?.[0] ?? element, element])
      }
      for (const child of [...(element.shadowRoot?.children ?? []), ...element.children]) visit(child)
    }
    const isText = (element) =>
      element.matches('input, select, textarea') ||
      [...element.childNodes].some(({ nodeType, data }) => nodeType === Node.TEXT_NODE && data.trim().length > 1)
    const plain = toNumber('rgba(0, 0, 0, 0)', 'none', 1, 'static', 'none')
    visit(document.documentElement)
    for (const element of [...kinds.values()].flat()) element.setAttribute('${mark}', '')
  }
`

/** Waits for the fonts, and for the end of each transition, also in shadow trees: colors between two are not the page's. */
const settle = `
  {
    const roots = [document]
    for (const root of roots) {
      for (const { shadowRoot } of root.querySelectorAll('*')) if (shadowRoot !== null) roots.push(shadowRoot)
    }
    const nextFrame = new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
    Promise.all([nextFrame, document.fonts.ready]).then(() =>
      Promise.allSettled(
        roots
          .flatMap((root) => root.getAnimations())
          .filter(({ effect }) => effect.getComputedTiming().endTime < Infinity)
          .map(({ finished }) => finished),
      ).then(() => undefined),
    )
  }
`

interface AxeResult {
  readonly violations: readonly Violation[]
}

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly target: readonly (string | string[])[]; readonly failureSummary: string }[]
}

function describeViolation({ id, nodes }: Violation): string {
  return `axe: ${id}: ${nodes.map(({ target, failureSummary }) => `${target.flat().join(' ')} (${failureSummary})`).join(' | ')}`
}
