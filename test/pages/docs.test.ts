// run: takes 8 s
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { routes } from '../../src/contract/index.js'
import { describeBrowser } from '../helpers/browser-suite.js'
import { colorRules, findFaults, listRecorded, lookRules, openPage, type PageOptions } from '../helpers/page-faults.js'
import { type RunningSvc, startSvc } from '../helpers/svc.js'
import { openTemporaryFolder } from '../helpers/temporary.js'

interface Context {
  place: ReturnType<typeof openTemporaryFolder>
  server: RunningSvc
  url: string
  key: string
}

const { described: reference, inBrowser } = describeBrowser<Context>('/docs')

reference.before(async (context) => {
  context.place = openTemporaryFolder()
  context.server = startSvc(['serve', '--port', '0', '--json', '--data-dir', context.place.folder])
  context.url = JSON.parse(await context.server.nextLine()).url
  context.key = readFileSync(`${context.place.folder}/local.key`, 'utf8').trim()
})

reference.after(async ({ server, place }) => {
  server.child.kill('SIGTERM')
  await server.ended
  place.close()
})

/** Opens the page at an operation, and waits for its form. */
async function openOperation(browser: Browser, url: string, operation: string, size?: PageOptions): Promise<Page> {
  const page = await openPage(browser, `${url}/docs#?route=${operation}`, size)
  await page.getByRole('button', { name: 'Execute' }).waitFor()
  return page
}

/** Sends the form, and returns the answer of the server. */
async function execute(page: Page, path: string): Promise<{ status: number; body: Record<string, unknown> }> {
  const [response] = await Promise.all([
    page.waitForResponse((answer) => answer.url().includes(path)),
    page.getByRole('button', { name: 'Execute' }).click(),
  ])
  await page.getByText('Response Status').waitFor()
  return { status: response.status(), body: await response.json() }
}

inBrowser('rejects a call without a key and a malformed key, and has no violation', async ({ url }, browser) => {
  const page = await openOperation(browser, url, 'post-/v1/home-insights/generate')
  assert.is((await execute(page, '/v1/home-insights/generate')).status, 401)
  await page.getByLabel('API key').fill('secret')
  await page.keyboard.press('Enter')
  await page.getByText('This is not a valid key').waitFor()
  await page.emulateMedia({ colorScheme: 'light' })
  const light = await page.locator('openapi-explorer').getAttribute('bg-color')
  assert.equal(await findFaults(page), [rejected], 'desktop')
  await page.setViewportSize({ width: 390, height: 900 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.locator(`openapi-explorer:not([bg-color='${light}'])`).waitFor()
  assert.equal(await findFaults(page, lookRules), [rejected], 'phone')
  await page.setViewportSize({ width: 1280, height: 720 })
  await page.emulateMedia({ colorScheme: 'light' })
  await page.locator(`openapi-explorer[bg-color='${light}']`).waitFor()
  await page.getByRole('button', { name: 'Dark theme' }).click()
  await page.locator(`openapi-explorer:not([bg-color='${light}'])`).waitFor()
  assert.equal(await findFaults(page, colorRules), [rejected], 'dark by its button')
  await page.close()
})

/** Chromium writes each failed call to the console. */
const rejected = 'console: Failed to load resource: the server responded with a status of 401 (Unauthorized)'

for (const [device, width, height] of [
  ['desktop', 1280, 800],
  ['phone', 390, 844],
] as const) {
  const size = { width, height }

  inBrowser(`opens the first operation on a ${device} if the address names none`, async ({ url }, browser) => {
    const page = await openPage(browser, `${url}/docs`, size)
    await page.getByRole('button', { name: 'Execute' }).waitFor()
    // By then, all timers of the explorer have run.
    await page.waitForLoadState('networkidle')
    assert.equal(listRecorded(page), [])
    assert.is(await page.evaluate('scrollY'), 0)
    assert.is(await page.evaluate('document.activeElement.localName'), 'body')
    assert.is(page.url(), `${url}/docs#?route=get-/health`)
    if (device === 'desktop') await checkFirstOperation(page)
    await page.close()
  })

  inBrowser(
    `scrolls to the operation of the address on a ${device}, and wraps its command`,
    async ({ url }, browser) => {
      const operation = 'post-/v1/health-detail-insights/generate'
      const page = await openOperation(browser, url, operation, size)
      await page.waitForLoadState('networkidle')
      await page.evaluate(waitForScroll)
      const shown = await page.locator(`openapi-explorer [id="${operation}"]`).boundingBox()
      assert.ok(shown !== null && shown.y >= -1 && shown.y < height / 2, JSON.stringify(shown))
      const command = page.locator('openapi-explorer api-request pre').filter({ hasText: 'curl' })
      await command.waitFor()
      assert.match(await command.innerText(), /health-detail-v3/)
      assert.ok(await command.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth))
      await page.close()
    },
  )
}

/** Checks that the page shows every operation once, and that the one that is open can be called. */
async function checkFirstOperation(page: Page): Promise<void> {
  const shown = await page
    .locator('openapi-explorer .nav-bar-path[data-content-id*="-/"]')
    .evaluateAll((links) => links.map((link) => link.getAttribute('data-content-id')))
  const declared = Object.values(routes).map(
    ({ method, path }) => `${method.toLowerCase()}-${path.replaceAll(/[{}]/g, '-')}`,
  )
  // The form with a photo is at the alias.
  const form = 'post-/v1/pet-avatars/generate'
  assert.equal([...shown].sort(), [...declared, form].sort())
  assert.is((await execute(page, '/health')).status, 200)
}

/** Ends after 10 s at the latest. Its policy keeps a page from evaluating the expression of `waitForFunction` repeatedly. */
const waitForScroll = `
  new Promise((done) => {
    if (scrollY > 0) done()
    addEventListener('scroll', done, { once: true })
    setTimeout(done, 10_000)
  })
`

/** Opens another operation by the list of all. */
async function chooseOperation(page: Page, operation: string): Promise<void> {
  await page.locator(`openapi-explorer [data-content-id="post-${operation}"]`).first().click()
  await page.locator(`openapi-explorer [id="post-${operation}"]`).waitFor()
}

inBrowser('keeps a key for the tab, and sends samples and a photo with it', async ({ url, key }, browser) => {
  let load = () => {}
  const isLoading = new Promise<void>((resolve) => {
    load = resolve
  })
  const page = await openPage(browser, `${url}/docs#?route=get-/v1/models`, {
    prepare: (page) => page.route('**/openapi.json', (route) => isLoading.then(() => route.continue()), { times: 1 }),
  })
  await page.getByLabel('API key').fill(key)
  await page.keyboard.press('Enter')
  load()
  await page.locator('#key-form button:enabled').waitFor()
  assert.is(await page.getByLabel('API key').inputValue(), key)
  await page.getByLabel('API key').press('Enter')
  await page.getByText('Calls now use this key.').waitFor()
  await page.reload()
  await page.getByText('Calls use the key of this tab.').waitFor()
  assert.is((await execute(page, '/v1/models')).status, 200)
  assert.not.match(page.url(), key)

  for (const operation of ['/v1/home-insights/generate', '/v1/health-detail-insights/generate']) {
    await chooseOperation(page, operation)
    const { status, body } = await execute(page, operation)
    assert.is(status, 200, JSON.stringify(body))
  }
  await chooseOperation(page, '/v1/pet-avatars/generate')
  const photo = fileURLToPath(new URL('../../fixtures/photos/dog.jpg', import.meta.url))
  await page.locator('openapi-explorer input[type=file]').setInputFiles(photo)
  await page.locator('openapi-explorer [data-pname="species"]').first().fill('dog')
  const { status, body } = await execute(page, '/v1/pet-avatars/generate')
  assert.is(status, 200, JSON.stringify(body))
  assert.match(String(body.task_id), /^avatar_/)
  assert.equal(await findFaults(page), [])

  // The fields of every health payload, the permissions that a key needs, and the schemas.
  await chooseOperation(page, '/v1/health-detail-insights/generate')
  await page.getByText('Needs a key for health-detail-insights.').waitFor()
  const models = page.getByRole('button', { name: /^model$/i })
  await models.first().click()
  for (const name of ['ActivityDayRequest', 'BarkPeriodRequest']) await page.getByText(name).first().waitFor()
  await page.locator('openapi-explorer [data-content-id="cmp--schemas-restperiodrequest"]').click()
  await page.getByRole('heading', { name: 'RestPeriodRequest', exact: true }).waitFor()
  assert.equal(listRecorded(page), [])
  await page.close()
})

reference.run()
