import * as assert from 'uvu/assert'
import { faultFieldNames } from '../../../src/contract/faults.js'
import { describeDemo, openWithKey, waitForText } from '../../helpers/demo-visits.js'
import { findFaults } from '../../helpers/page-faults.js'

const { inBrowser, run } = describeDemo('demo page, requests and faults')

const desktop = { expects: /status of 422/, viewport: { width: 1280, height: 720 } }
inBrowser('adds and removes fault rules, and leads from a rejected payload to its faults', desktop, async (visit) => {
  const { page, app } = visit
  await openWithKey(visit)
  await page.getByText('Make calls and pictures fail').click()
  const rule = page.getByLabel('Rule')
  await rule.fill('route=GET /v1/models,status=53')
  await page.locator('#faults').getByRole('button', { name: 'Add' }).click()
  await waitForText(page, '#faults .problem', /`status` is "53"; it must be 401/)
  // It stays when the list has been read again, which it has before the page asks once more.
  await page.waitForResponse(/_svc\/faults/)
  await page.waitForRequest(/_svc\/faults/)
  assert.match(await page.locator('#faults .problem').innerText(), /`status` is "53"/)
  await rule.fill('route=GET /v1/models,status=503,times=1')
  await rule.press('Enter')
  await waitForText(page, '#fault-list', /route=GET \/v1\/models,status=503,times=1.*active, fired 0/)
  assert.is(await rule.inputValue(), '')
  const { status } = await app.get('/v1/models', { authorization: `Bearer ${app.key}` })
  assert.is(status, 503)
  await waitForText(page, '#fault-list', /spent, fired 1/)
  await page.getByRole('button', { name: 'Remove route=GET /v1/models,status=503,times=1' }).click()
  await page.locator('#fault-list li').waitFor({ state: 'detached' })

  await page.getByText('Fields of a rule').click()
  const fields = await page.locator('#fault-fields dt').allInnerTexts()
  const names = fields.map((field) => field.replace(/=.*/, ''))
  assert.equal(names, faultFieldNames)
  assert.match(await page.locator('#fault-fields').innerText(), 'drop=WHEN')
  assert.equal(await findFaults(page), [])

  // Also while the list is on hold.
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
})

run()
