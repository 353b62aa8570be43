import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { chooseThanksgiving, describeDemo, openWithDog, type Visit, waitForText } from '../../helpers/demo-visits.js'
import { findViolations, lookRules } from '../../helpers/page-faults.js'

const { inBrowser, run } = describeDemo('demo page, accessibility')

/** Returns the pixels by which the page is wider than the window. */
const findOverflow = (page: Page) => page.locator('html').evaluate((root) => root.scrollWidth - root.clientWidth)

/** Fills every step with results, and one also with an error. Clips play only on request. */
async function fillAll(visit: Visit): Promise<void> {
  const { page } = visit
  await openWithDog(visit, { moves: true })
  await page.locator('#canvas img[alt="Rex, lying"]').waitFor()
  await page.getByRole('button', { name: 'Play' }).click()
  await page.locator('#canvas img[alt="Rex, running, moving"]').waitFor()
  await page.getByRole('button', { name: 'Pause' }).click()
  await chooseThanksgiving(page)
  await waitForText(page, '#diary .status', 'Thanksgiving, with Rex.')
  for (const summary of await page.locator('.trace > summary').all())
    if (await summary.isVisible()) await summary.click()
  await page.locator('#request-rows button').filter({ hasText: 'pet-diary-images/generate' }).first().click()
  await waitForText(page, '#request-rows .detail', 'Timeline')
  await page.getByRole('button', { name: 'Send an invalid one' }).click()
  await waitForText(page, '#health .problem', '422')
  await waitForText(page, '#paragraph', 'health-detail-v2')
}

inBrowser('can be used with only the keyboard', { expects: /status of 503/ }, async ({ page, app, url }) => {
  await page.goto(`${url}/demo`)
  const reach = async (selector: string) => {
    for (let presses = 0; presses < 60; presses++) {
      await page.keyboard.press('Tab')
      if ((await page.locator(`${selector}:focus`).count()) > 0) return
    }
    throw new Error(`${selector} is not reached`)
  }
  const hasFocus = (selector: string) => page.locator(`${selector}:focus`).waitFor()
  await reach('#key')
  await page.keyboard.type(app.key)
  await page.keyboard.press('Enter')
  await page.locator('#key-form').waitFor({ state: 'hidden' })
  await hasFocus('button.pet[data-pet=sample-dog]')
  await page.keyboard.press('Space')
  await waitForText(page, '#photo .status', 'Rex is ready in four poses.')
  await reach('.thumb:nth-of-type(3)')
  await page.keyboard.press('Enter')
  await page.locator('#canvas img[alt="Rex, walking"]').waitFor()
  await reach('#animate')
  await page.keyboard.press('Enter')
  await waitForText(page, '#motion .status', 'Rex moves.')
  await hasFocus('#pause')
  await reach('#weather input:checked')
  await page.keyboard.press('ArrowRight')
  assert.is(await page.locator('#weather input:checked').inputValue(), 'snow')
  await waitForText(page, '#diary .status', 'with Rex.')
  await reach('#diary-form [type=submit]')
  await page.keyboard.press('Enter')
  await waitForText(page, '#diary .status', 'Drawing Rex')
  await waitForText(page, '#diary .status', 'with Rex.')
  await hasFocus('#diary-form [type=submit]')
  await reach('#home-form button')
  await page.keyboard.press('Enter')
  await waitForText(page, '#cards', "Today's activity")
  await reach('#health-locale input:checked')
  await page.keyboard.press('ArrowLeft')
  await waitForText(page, '#paragraph[lang=es]', /\S/)
  const again = '#request-rows tr:has(.code:text-is("200")):has(td:text-is("local")) button:text-is("GET /v1/models")'
  await reach(again)
  const { status } = await fetch(`${url}/v1/models`, { headers: { authorization: `Bearer ${app.key}` } })
  assert.is(status, 200)
  await waitForText(page, '#request-rows tr:has(button:focus)', 'the last of')
})

inBrowser('fits desktops and phones, and has no axe violation', { expects: /status of (422|503)/ }, async (visit) => {
  const { page, url } = visit
  const check = async (state: string) => {
    await page.setViewportSize({ width: 320, height: 844 })
    assert.is(await findOverflow(page), 0, `${state}, 320 px`)
    for (const [width, colorScheme, rules] of [
      [1360, 'light', undefined],
      [390, 'dark', lookRules],
    ] as const) {
      await page.setViewportSize({ width, height: 844 })
      assert.is(await findOverflow(page), 0, `${state}, ${width} px`)
      await page.emulateMedia({ colorScheme })
      assert.equal(await findViolations(page, rules), [], `${state}, ${width} px, ${colorScheme}`)
    }
  }
  await page.goto(`${url}/demo`)
  await check('without a key')
  // On a phone.
  for (const name of ['Guide', 'Reference', 'Demo', 'Reference', 'Guide', 'Demo']) {
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }).click()
    await page.waitForURL({ Guide: `${url}/api-docs`, Reference: /\/docs/, Demo: `${url}/demo` }[name] ?? '')
  }
  await fillAll(visit)
  await check('with all there is, and an error')
})

run()
