import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startApp, type TestApp } from './app.js'
import { noChromium, openChromium } from './chromium.js'
import { reportSkip } from './skip.js'

export interface Visit {
  readonly page: Page
  readonly context: BrowserContext
  readonly app: TestApp
  readonly url: string
}

interface VisitOptions extends BrowserContextOptions {
  /** Console errors that are expected. */
  readonly expects?: RegExp
  /** The fixed time of the page's clock. */
  readonly time?: string
}

let stage: ReturnType<typeof openStage> | undefined
let suitesLeft = 0

/** Opens a browser and an app, which the suites of a test file share. */
async function openStage() {
  const app = await startApp({ variables: { SVC_POLL_AFTER_SECONDS: '1' }, time: 'service' })
  return { browser: await openChromium(), app, url: (await app.app.listen()).url }
}

/** Declares a suite about the page `/demo`. The suites of a test file share one app, in one browser. */
export function describeDemo(title: string) {
  const demo = suite(title)
  suitesLeft += 1
  demo.after(async () => {
    suitesLeft -= 1
    if (suitesLeft > 0) return
    const { browser, app } = (await stage) ?? {}
    stage = undefined
    await browser?.close()
    await app?.close()
  })
  return {
    /** Runs a test in its own browser context. Console errors fail it, except those that it `expects`. */
    inBrowser(title: string, options: VisitOptions, visit: (visit: Visit) => Promise<void>): void {
      demo(title, async () => {
        stage ??= openStage()
        const { browser, app, url } = await stage
        if (browser === undefined) return reportSkip(noChromium)
        await visitIn(browser, options, (page, context) => visit({ page, context, app, url }))
      })
    },
    run: () => demo.run(),
  }
}

async function visitIn(
  browser: Browser,
  { expects = /^$/, time, ...options }: VisitOptions,
  visit: (page: Page, context: BrowserContext) => Promise<void>,
): Promise<void> {
  // Moving pictures are drawn 60 times per second on the processor, also while a test waits.
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
  context.setDefaultTimeout(120_000)
  const page = await context.newPage()
  if (time !== undefined) await page.clock.setFixedTime(new Date(time))
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    if (/error|warning/.test(message.type()) && !expects.test(message.text())) complaints.push(message.text())
  })
  try {
    await visit(page, context)
    assert.equal(complaints, [])
  } finally {
    await context.close()
  }
}

/** Opens the page with the key that has all permissions. */
export const openWithKey = ({ page, url, app }: Visit, more = '') => page.goto(`${url}/demo#key=${app.key}${more}`)

/** Waits for a text; if it does not appear, throws the text of the step. */
export async function waitForText(page: Page, selector: string, text: string | RegExp): Promise<void> {
  try {
    await page.locator(selector).filter({ hasText: text }).first().waitFor()
  } catch {
    const shown = await page.locator(selector.split(' ')[0] ?? selector).allInnerTexts()
    throw new Error(`${selector} does not say ${text}, but: ${shown.join('\n')}`)
  }
}

/** Opens the page with the sample dog as another test of the file drew and moved it, or draws and moves it now. */
export async function openWithDog(visit: Visit, { moves = false } = {}): Promise<void> {
  const call = async (path: string, init: RequestInit = {}) => {
    const headers = { authorization: `Bearer ${visit.app.key}`, 'content-type': 'application/json' }
    return (await fetch(`${visit.url}/v1/${path}`, { ...init, headers })).json()
  }
  const assets = (await call('pet-avatars?user_id=demo')) as { items: IdentityAsset[] }
  const dog = assets.items.find(({ pet_id }) => pet_id === 'sample-dog')
  const taskId = dog?.avatar_task_id ?? (await requestSample(visit, 'dog'))
  await openWithKey(visit, `&task=${taskId}`)
  await waitForText(visit.page, '#photo .status', 'Rex is ready in four poses.')
  if (!moves) return
  if (dog?.animation_task_id == null) await visit.page.getByRole('button', { name: 'Make it move' }).click()
  await waitForText(visit.page, '#motion .status', 'Rex moves.')
}

interface IdentityAsset {
  readonly avatar_task_id: string
  readonly animation_task_id: string | null
  readonly pet_id: string
}

/** Chooses a day whose scene does not depend on the current date. */
export async function chooseThanksgiving(page: Page): Promise<void> {
  await page.locator('#date').fill('2026-11-26')
  await waitForText(page, '#diary-reason', 'Thanksgiving was chosen')
}

/** Creates the avatar tasks of the sample pets, as `svc demo` does, and returns their IDs. */
export const requestSamples = (visit: Visit): Promise<string[]> =>
  Promise.all(['dog', 'cat'].map((species) => requestSample(visit, species)))

async function requestSample({ url, app }: Visit, species: string): Promise<string> {
  const form = new FormData()
  form.set('source_image', new Blob([readFileSync(toPhotoPath(`${species}.jpg`))]))
  for (const [name, value] of Object.entries({ species, user_id: 'demo', pet_id: `sample-${species}` })) {
    form.set(name, value)
  }
  const headers = { authorization: `Bearer ${app.key}` }
  const created = await fetch(`${url}/v1/pet-avatar/generate`, { method: 'POST', headers, body: form })
  return ((await created.json()) as { task_id: string }).task_id
}

/** Returns the path of a photo in `fixtures/photos/`. */
export const toPhotoPath = (name: string): string =>
  fileURLToPath(new URL(`../../fixtures/photos/${name}`, import.meta.url))
