import * as assert from 'uvu/assert'
import { describeDemo, openWithKey, waitForText } from '../../helpers/demo-visits.js'

const { inBrowser, run } = describeDemo('demo page, the day')

const california = { time: '2027-06-11T03:00:00Z', timezoneId: 'America/Los_Angeles', expects: /status of 503/ }
inBrowser('opens on the local date, shows scene and cards of it, draws only on request', california, async (visit) => {
  const { page, url } = visit
  const bought: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && /pet-(diary-images|avatar)/.test(request.url())) bought.push(request.url())
  })
  await page.goto(`${url}/demo`)
  assert.is(await page.locator('#date').inputValue(), '2027-06-10')
  assert.is(await page.locator('#holiday').inputValue(), '')
  assert.is(await page.locator('#holidays [aria-pressed=true]').count(), 0)

  await page.clock.setFixedTime(new Date('2027-11-25T20:00:00Z'))
  await openWithKey(visit)
  await page.getByRole('button', { name: 'Forget the key' }).waitFor()
  assert.is(await page.locator('#date').inputValue(), '2027-11-25')
  await page.locator('#weather').getByText('Snow').click()
  await waitForText(page, '#diary-reason', /was chosen because it snowed\./)
  await waitForText(page, '#diary .status', 'Choose a pet above to have it drawn into this scene.')
  await waitForText(page, '#cards', 'Snow')
  const snowy = await page.locator('#diary-canvas img[src*="/objects/ai-gateway/diary/"]').getAttribute('src')
  await page.getByRole('button', { name: 'Thanksgiving' }).click()
  await waitForText(page, '#diary-reason', 'Thanksgiving was chosen because it was a holiday; it snowed that day.')
  await page.getByRole('button', { name: 'Thanksgiving' }).click()

  await page.locator('#weather').getByText('Wind').click()
  await waitForText(page, '#cards', 'Windy')
  await page.locator(`#diary-canvas img:not([src="${snowy}"])`).waitFor()

  await page.locator('#date').fill('2026-11-26')
  await waitForText(page, '#diary-reason', 'Thanksgiving was chosen')
  const dated = page.waitForRequest(
    (request) => request.url().endsWith('v1/home-insights/generate') && request.postDataJSON().date === '2027-10-20',
  )
  await page.locator('#date').fill('2027-10-20')
  await dated
  await page.getByRole('button', { name: 'Independence Day' }).click()
  await waitForText(page, '#diary-reason', 'Independence Day was chosen')

  await page.locator('#home-weather').selectOption('hot')
  await waitForText(page, '#cards', 'Hot')
  await waitForText(page, '#diary-reason', 'Independence Day was chosen')

  await page.getByRole('button', { name: 'Independence Day' }).click()
  await page.locator('#weather').getByText('Rain').click()
  await page.locator('#location').getByText('Home').click()
  await page.locator('#mood').getByText('Curious').click()
  await waitForText(page, '#diary-reason', 'because it rained, Rex was at home, and Rex felt curious.')
  assert.equal(bought, [])
})

run()
