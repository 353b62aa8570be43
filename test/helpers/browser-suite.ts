import type { Browser, BrowserContext, BrowserContextOptions, Page, ViewportSize } from 'playwright-core'
import { suite } from 'uvu'
import { noChromium, openChromium } from './chromium.js'
import { reportSkip } from './skip.js'

/** Declares a suite whose tests share one Chromium. Tests that are declared by `inBrowser` are skipped without a browser. */
export function describeBrowser<Context extends object>(title: string, flags: readonly string[] = []) {
  const described = suite<Context & { browser: Browser | undefined }>(title)
  described.before(async (context) => {
    context.browser = await openChromium(flags)
  })
  described.after(async ({ browser }) => browser?.close())
  function inBrowser(title: string, test: (context: Context, browser: Browser) => Promise<void>): void {
    described(title, async (context) => {
      if (context.browser === undefined) reportSkip(`${title}: ${noChromium}`)
      else await test(context, context.browser)
    })
  }
  return { described, inBrowser }
}

const contexts = new WeakMap<Browser, Promise<BrowserContext>>()

/**
 * Opens a page in the context that the tests of a file share, which the first one creates with its options: the pages of a context
 * share a process, and what they have loaded and compiled. `closeShared` removes what the page has stored.
 */
export async function openShared(
  browser: Browser,
  viewport: ViewportSize,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = contexts.get(browser) ?? browser.newContext(options)
  contexts.set(browser, context)
  const page = await (await context).newPage()
  await page.setViewportSize(viewport)
  return page
}

export async function closeShared(page: Page): Promise<void> {
  await page.evaluate('localStorage.clear()')
  await page.close()
}
