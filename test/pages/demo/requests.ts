import * as assert from 'uvu/assert'
import { describeDemo, openWithKey, waitForText } from '../../helpers/demo-visits.js'

const { inBrowser, run } = describeDemo('demo page, requests')

inBrowser(
  'links a rejected payload to its violations, only in the list of requests, also on hold; lists requests and their details',
  async (visit) => {
    const { page } = visit
    await openWithKey(visit)
    await page.getByRole('button', { name: 'Hold' }).click()
    await page.getByRole('button', { name: 'Send an invalid one' }).click()
    await waitForText(page, '#health .problem', 'The request is not valid.')
    assert.not.match((await page.locator('#health').textContent()) ?? '', 'envelope-schema-version')
    await page.locator('#health').getByRole('link', { name: 'See what the server saw' }).click()
    await waitForText(page, '#request-rows .detail', /envelope-schema-version at \/schemaVersion/)
    const opened = page.locator('#request-rows tr:has(button:focus)')
    assert.match((await opened.textContent()) ?? '', /health-detail.*422/)
    const { top, bottom } = await opened.evaluate((row) => row.getBoundingClientRect())
    assert.ok(top > 0 && bottom < 720, `its row is at ${top} to ${bottom}`)
    await page.keyboard.press('Enter')
    await page.locator('#request-rows .detail').waitFor({ state: 'detached' })

    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByRole('button', { name: /^Chelsea/ }).click()
    await waitForText(page, '#photo .status', 'Chelsea is ready in four poses.')
    // Kept as an element: the list grows at its beginning.
    const calls = page.locator('#request-rows button').filter({ hasText: 'POST /v1/pet-avatar/generate' })
    await calls.first().waitFor()
    const created = await calls.first().elementHandle()
    await created?.click()
    for (const text of ['Timeline', 'queued', 'succeeded', 'image/png', 'stub-avatar-1']) {
      await waitForText(page, '#request-rows .detail', text)
    }
    await created?.click()
    await page.locator('#request-rows .detail').waitFor({ state: 'detached' })
    assert.is(await page.locator('#request-rows').getByText('/_svc').count(), 0)
  },
  { expects: /status of 422/, viewport: { width: 1280, height: 720 } },
)

run()
