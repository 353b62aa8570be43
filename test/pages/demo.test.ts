import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startApp, type TestApp } from '../helpers/app.js'
import { noChromium, openChromium } from '../helpers/chromium.js'
import { reportSkip } from '../helpers/skip.js'

const demo = suite('demo page')
const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
const photo = (name: string) => fileURLToPath(new URL(`../../fixtures/photos/${name}`, import.meta.url))

let browser: Browser | undefined
let app: TestApp
let url: string

demo.before(async () => {
  browser = await openChromium()
  app = await startApp({ variables: { SVC_POLL_AFTER_SECONDS: '1' }, now: () => Date.now() })
  url = (await app.app.listen()).url.replace(/\/$/, '')
})

demo.after(async () => {
  await browser?.close()
  await app.close()
})

interface Visit {
  readonly page: Page
  readonly context: BrowserContext
  /** What the browser complained of. */
  readonly complaints: string[]
}

/** Runs a test in a browser of its own. What the browser complains of fails it, but for answers that it `expects`. */
function inBrowser(
  title: string,
  visit: (visit: Visit) => Promise<void>,
  { expects = /^$/, ...options }: BrowserContextOptions & { readonly expects?: RegExp } = {},
): void {
  demo(title, async () => {
    if (browser === undefined) return reportSkip(noChromium)
    const context = await browser.newContext(options)
    context.setDefaultTimeout(20_000)
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('console', (message) => {
      if (/error|warning/.test(message.type()) && !expects.test(message.text())) complaints.push(message.text())
    })
    try {
      await visit({ page, context, complaints })
      assert.equal(complaints, [])
    } finally {
      await context.close()
    }
  })
}

/** The list of requests is asked for by every page with a key of an admin. */
const openWithKey = (page: Page, more = '') => page.goto(`${url}/demo#key=${app.key}${more}`)

const waitForText = (page: Page, selector: string, text: string | RegExp) =>
  page.locator(selector).filter({ hasText: text }).first().waitFor()

/** Draws the sample dog. */
async function drawDog(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Rex/ }).click()
  await waitForText(page, '#photo .status', 'Rex is ready in four poses.')
}

async function findAxeFaults(page: Page): Promise<string[]> {
  // Through the debugger, which no policy of the page holds for.
  await page.evaluate(axe)
  const { violations } = (await page.evaluate('axe.run()')) as {
    violations: { id: string; nodes: { html: string; failureSummary: string }[] }[]
  }
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html}\n${node.failureSummary}`))
}

inBrowser('takes a newcomer from a photo to all there is', async ({ page }) => {
  await openWithKey(page)
  await drawDog(page)
  assert.is(await page.locator('#thumbs img').count(), 4)
  assert.is(await page.locator('#canvas img').getAttribute('alt'), 'Rex, lying')
  await page.getByRole('button', { name: 'running' }).click()
  assert.is(await page.locator('#canvas img').getAttribute('alt'), 'Rex, running')

  await page.getByRole('button', { name: 'Make it move' }).click()
  await page.getByLabel('Place').selectOption('home')
  await page.getByRole('button', { name: 'Draw the day' }).click()
  await waitForText(page, '#diary .status', 'Thanksgiving, with Rex.')
  await waitForText(page, '#diary-reason', /Thanksgiving was chosen: it fits by 0\.\d+ \(.*holiday.*\)\./)
  assert.match((await page.locator('#diary-canvas img').getAttribute('src')) ?? '', '/objects/ai-gateway/diary/')

  await page.getByRole('button', { name: 'Write the cards' }).click()
  await waitForText(page, '#cards', 'Rain today')

  await page.getByRole('button', { name: 'Write it' }).click()
  await waitForText(page, '#paragraph', 'Last night, 小满 rested 8 h 32 min')
  await page.locator('#health-locale').getByText('Español').click()
  await waitForText(page, '#paragraph[lang=es]', 'Anoche, 小满 descansó 8 h 32 min')
  await page.locator('#health-locale').getByText('中文').click()
  await waitForText(page, '#paragraph[lang=zh-CN]', '昨晚，小满休息了8小时32分钟')

  await waitForText(page, '#motion .status', 'Rex moves.')
  assert.is(await page.locator('#clips img[alt$=moving]').count(), 4)
  await page.getByRole('button', { name: 'Pause' }).click()
  assert.is(await page.locator('#clips img[alt$=moving]').count(), 0)
  await page.getByRole('button', { name: 'Play' }).click()
  await page.locator('#format').getByText('MP4').click()
  assert.is(await page.locator('#clips video').count(), 4)
  await waitForText(page, '#motion .cost', /^Rex so far: \d+ requests, \d+ pictures and clips, \$0\.00$/)
})

inBrowser('shows each request as curl that works as it stands, without the key', async ({ page }) => {
  await openWithKey(page)
  await drawDog(page)
  await page.locator('#photo .trace summary').click()
  assert.not.match(await page.content(), app.key)
  const [create = '', query = ''] = await page.getByRole('region', { name: 'Request as curl' }).allTextContents()
  const run = async (curl: string) => {
    const options = { cwd: photo('.'), env: { ...process.env, SVC_KEY: app.key }, timeout: 10_000 }
    return JSON.parse((await promisify(execFile)('sh', ['-c', curl], options)).stdout)
  }
  assert.match((await run(create)).task_id, /^avatar_/)
  assert.is((await run(query)).status, 'success')
})

demo.run()
