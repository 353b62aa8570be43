import * as assert from 'uvu/assert'
import { describeDemo, openWithKey, requestSamples, waitForText } from '../../helpers/demo-visits.js'

const { inBrowser, run } = describeDemo('demo page, key')

inBrowser('takes the key and tasks from the address, and shows their pictures', async (visit) => {
  const { page, context, app, url } = visit
  const taskIds = await requestSamples(visit)
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await openWithKey(visit, taskIds.map((id) => `&task=${id}`).join(''))
  await page.locator('#canvas img[alt*=", "]').waitFor()
  assert.is(page.url(), `${url}/demo`)
  await waitForText(page, 'button.pet[data-pet=sample-dog]', '4 poses')
  await waitForText(page, 'button.pet[data-pet=sample-cat]', '4 poses')
  assert.is(
    asked.some((address) => address.includes(app.key)),
    false,
  )
  assert.equal(await context.cookies(), [])
  await page.reload()
  await waitForText(page, 'button.pet[data-pet=sample-cat]', '4 poses')
})

inBrowser(
  'shows the error envelope of an invalid key, and accepts a valid one',
  async ({ page, app, url }) => {
    await page.goto(`${url}/demo`)
    await page.getByRole('button', { name: /^Rex/ }).click()
    await waitForText(page, '#key-form .problem', 'Enter the key first')
    await page.getByLabel('API key').fill('svc_01ARZ3NDEKTSV4RRFFQ69G5FAV_nobodys-key')
    await page.getByRole('button', { name: 'Use key' }).click()
    await waitForText(page, '#key-form .problem', /401 unauthorized request req_\w+/)
    await page.getByLabel('API key').fill(app.key)
    await page.keyboard.press('Enter')
    await page.locator('#key-form').waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Forget the key' }).click()
    await page.locator('#key-form').waitFor()
  },
  { expects: /status of 401/ },
)

for (const [what, key, words, expects] of [
  ['is malformed', 'bad', 'The key in the address is not accepted.', /^$/],
  ['is unknown', 'svc_01ARZ3NDEKTSV4RRFFQ69G5FAV_nobodys-key', 'This server does not accept the key.', /status of 401/],
] as const) {
  inBrowser(
    `rejects a key in the address that ${what}, and accepts another one`,
    async ({ page, app, url }) => {
      await page.goto(`${url}/demo#key=${key}`)
      await waitForText(page, '#key-form .problem', words)
      await waitForText(page, '#key-form .problem', 'svc key create --name me')
      assert.is(page.url(), `${url}/demo`)
      await page.getByLabel('API key').fill(app.key)
      await page.keyboard.press('Enter')
      await page.locator('#key-form').waitFor({ state: 'hidden' })
      assert.is(await page.locator('#key-form .problem').textContent(), '')
    },
    { expects },
  )
}

inBrowser(
  'tells other keys that cost and requests need an admin key',
  async ({ page, app, url }) => {
    const { text } = await app.createKey()
    await page.goto(`${url}/demo#key=${text}`)
    await page.getByRole('button', { name: 'Write the cards' }).click()
    await waitForText(page, '#home .cost', 'Only keys made with --admin see the cost.')
    await waitForText(page, '#requests .status', 'It is shown to keys made with --admin.')
    assert.is(await page.locator('#request-table').isVisible(), false)
  },
  { expects: /status of 403/ },
)

run()
