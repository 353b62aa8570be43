import * as assert from 'uvu/assert'
import { describeDemo, openWithKey, waitForText } from '../helpers/demo-visits.js'

const { inBrowser, run } = describeDemo('demo page, its requests')

inBrowser('lists the requests and tells their stories to the key of an admin', async (visit) => {
  const { page } = visit
  await openWithKey(visit)
  await page.getByRole('button', { name: /^Chelsea/ }).click()
  await waitForText(page, '#photo .status', 'Chelsea is ready in four poses.')
  // By its element: the list grows at its beginning.
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

inBrowser(
  'shows which rules a refused payload breaks, in the list of requests alone',
  async (visit) => {
    const { page } = visit
    await openWithKey(visit)
    await page.getByRole('button', { name: 'Send a broken one' }).click()
    await waitForText(page, '#health .problem', 'The request is not valid.')
    assert.not.match((await page.locator('#health').textContent()) ?? '', 'envelope-schema-version')
    const refused = page
      .locator('#request-rows tr')
      .filter({ hasText: /health-detail.*422/ })
      .first()
    await refused.getByRole('button').click()
    await waitForText(page, '#request-rows .detail', /envelope-schema-version at \/schemaVersion/)
  },
  { expects: /status of 422/ },
)

run()
