import * as assert from 'uvu/assert'
import { openSqliteStore } from '../../../src/adapters/sql/sqlite/open-store.js'
import { describeDataDir } from '../../../src/runtime/data-dir.js'
import {
  describeDemo,
  openWithDog,
  openWithKey,
  requestSamples,
  toPhotoPath,
  waitForText,
} from '../../helpers/demo-visits.js'

const { inBrowser, run } = describeDemo('demo page, key')

inBrowser('takes key and tasks from the address, and keeps tasks and theme for a reload', {}, async (visit) => {
  const { page, context, app, url } = visit
  const taskIds = await requestSamples(visit)
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await openWithKey(visit, taskIds.map((id) => `&task=${id}`).join(''))
  await page.locator('#canvas img[alt*=", "]').waitFor()
  assert.is(page.url(), `${url}/demo`)
  await waitForText(page, 'button.pet[data-pet=sample-dog]', '4 poses')
  await waitForText(page, 'button.pet[data-pet=sample-cat]', '4 poses')
  assert.not(asked.some((address) => address.includes(app.key)))
  assert.equal(await context.cookies(), [])
  const findTheme = () => page.locator('html').evaluate((root) => root.style.colorScheme)
  await page.getByRole('button', { name: 'Dark theme' }).click()
  assert.is(await findTheme(), 'dark')
  await page.reload()
  assert.is(await findTheme(), 'dark')
  await page.getByRole('button', { name: 'Light theme' }).click()
  assert.is(await findTheme(), 'light')
  await waitForText(page, 'button.pet[data-pet=sample-dog]', '4 poses')
  await waitForText(page, 'button.pet[data-pet=sample-cat]', '4 poses')

  await page.getByRole('button', { name: /^Rex/ }).click()
  await page.locator('#photo > .under .trace > summary').click()
  await page.locator('#photo > .under').getByText('Queries').click()
  for (const [name, own] of [
    [/^Chelsea/, 1],
    [/^Rex/, 0],
  ] as const) {
    await page.getByRole('button', { name }).click()
    await waitForText(page, '#photo > .under .exchange', 'POST /v1/pet-avatar/generate made by svc demo')
    const commands = await page
      .locator('#photo > .under')
      .getByRole('group', { name: 'Request as curl' })
      .allTextContents()
    assert.is(commands.length, 2)
    assert.match(commands[0] ?? '', own === 0 ? 'pet_id=sample-dog' : 'pet_id=sample-cat')
    assert.match(commands[1] ?? '', taskIds[own] ?? '')
  }
})

inBrowser('does not draw the picture of the day a second time', { time: '2026-10-14T12:00:00Z' }, async (visit) => {
  const { page } = visit
  const seeDay = async () => {
    await waitForText(page, '#diary-reason', 'Puddle splash was chosen because it rained')
    await waitForText(page, '#diary .status', 'Puddle splash, with Rex.')
  }
  await openWithDog(visit)
  for (const weather of ['Sun', 'Rain']) await page.locator('#weather').getByText(weather).click()
  await seeDay()
  // As in a browser that has not seen the demo.
  await page.evaluate('sessionStorage.clear()')
  await page.goto('about:blank')
  const drawn: string[] = []
  page.on('request', (request) => drawn.push(request.url()))
  await openWithDog(visit)
  await seeDay()
  assert.is(await page.inputValue('#scene'), '')
  assert.is(drawn.filter((address) => address.endsWith('/generate') && address.includes('diary')).length, 0)
})

const nobodysKey = 'svc_01ARZ3NDEKTSV4RRFFQ69G5FAV_nobodys-key'

inBrowser('rejects an unknown or malformed key', { expects: /status of 401/ }, async ({ page, app, url }) => {
  const sent = new Set<string | undefined>()
  page.on('request', (request) => sent.add(request.headers().authorization))
  await page.goto(`${url}/demo`)
  await page.getByRole('button', { name: /^Rex/ }).click()
  await waitForText(page, '#key-form .problem', 'Enter the key first')
  await page.getByLabel('API key').fill(nobodysKey)
  await page.getByRole('button', { name: 'Use key' }).click()
  await waitForText(page, '#key-form .problem', /401 unauthorized request req_\w+/)
  for (const [key, words] of [
    ['bad', 'The key in the address is not accepted.'],
    [nobodysKey, 'This server does not know the key, or it is expired or revoked.'],
  ] as const) {
    // The page is open: it loads itself again for the key of another `svc demo`.
    await page.goto(`${url}/demo#key=${key}`)
    await waitForText(page, '#key-form .problem', words)
    await waitForText(page, '#key-form .problem', 'open the whole address that svc demo prints')
    assert.is(page.url(), `${url}/demo`)
  }
  await page.getByLabel('API key').fill(app.key)
  await page.keyboard.press('Enter')
  await page.locator('#key-form').waitFor({ state: 'hidden' })
  assert.is(await page.locator('#key-form .problem').textContent(), '')
  await page.getByRole('button', { name: 'Forget the key' }).click()
  await page.locator('#key-form').waitFor()
  assert.ok(sent.has(`Bearer ${nobodysKey}`) && !sent.has('Bearer bad'))
})

inBrowser('asks for another key once its own is revoked', { expects: /status of 40[13]/ }, async (visit) => {
  const { page, url, app } = visit
  const { id, text } = await app.createKey({ admin: true })
  await page.goto(`${url}/demo#key=${text}`)
  await page.locator('#request-rows tr').first().waitFor()
  const store = await openSqliteStore(describeDataDir(app.dataDir).database)
  await store.revokeKey(id, new Date())
  await store.close()
  await waitForText(page, '#key-form .problem', /401 unauthorized request req_\w+/)
  assert.is(await page.locator('#request-table').isVisible(), true)
  assert.is(await page.locator('#requests .status').isVisible(), false)
  await page.getByLabel('API key').fill(app.key)
  await page.keyboard.press('Enter')
  await page.locator('#key-form').waitFor({ state: 'hidden' })
  await page.locator('#request-rows tr').first().waitFor()

  await page.getByRole('button', { name: 'Forget the key' }).click()
  await page.getByLabel('API key').fill((await app.createKey()).text)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Write the cards' }).click()
  await waitForText(page, '#home .cost', 'Only keys made with --admin see the cost.')
  await waitForText(page, '#requests .status', 'It is shown to keys made with --admin.')
  assert.is(await page.locator('#request-table').isVisible(), false)
})

/** The address of the page as a phone sees it: a name that is not that of the server's own machine. */
const toGuestAddress = (url: string) => `${url.replace('127.0.0.1', 'phone.localhost')}/demo`

inBrowser('tells a guest without a valid key to ask the host', { expects: /status of 401/ }, async ({ page, url }) => {
  await page.goto(toGuestAddress(url))
  const ask = page.getByRole('button', { name: 'Ask the host for a link' })
  const shown = (await page.locator('#key-form').innerText()).split(/\n+/)
  assert.equal(shown, ['This demo opens with a link from its host.', 'Ask the host for a link', 'Enter a key'])
  assert.is(await page.locator('#key').isVisible(), false)
  await page.getByRole('button', { name: /^Rex/ }).click()
  await page.locator('#ask:focus').waitFor()
  await ask.click()
  await waitForText(page, '#key-form', `Please send me a new link to the demo on ${new URL(toGuestAddress(url)).host}.`)
  await page.goto(`${toGuestAddress(url)}#key=${nobodysKey}`)
  await waitForText(page, '#key-form .problem', 'The link of a guest is valid for an hour.')
  assert.not.match(await page.locator('#key-form').innerText(), /svc |\$|401/)
  assert.is(await ask.isVisible(), true)
})

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, expects: /ERR_INTERNET/ }
inBrowser('opens with the link of a guest, who draws pets and sees no log', phone, async (visit) => {
  const { page, context, url, app } = visit
  const [task] = await requestSamples(visit)
  const { text } = await app.createKey({ pets: ['sample-dog', 'sample-cat', 'guest-1'], admin: false })
  const refused: string[] = []
  page.on('response', (response) => {
    if (response.status() >= 400) refused.push(response.url())
  })
  await page.goto(`${toGuestAddress(url)}#key=${text}&pet=guest-1&task=${task}`)
  await waitForText(page, '#photo .status', 'Rex is ready in four poses.')
  for (const [name, photo] of [
    ['Mia', 'cat.jpg'],
    ['Leo', 'dog.jpg'],
  ] as const) {
    await page.locator('#file').setInputFiles(toPhotoPath(photo))
    await page.locator('#own-name').fill(name)
    await page.getByText('Cat', { exact: true }).click()
    await page.getByRole('button', { name: 'Draw four poses' }).click()
    await waitForText(page, '#photo .status', `${name} is ready in four poses.`)
  }
  assert.equal(await page.locator('button.pet .name').allInnerTexts(), ['Rex', 'Chelsea', 'Leo'])
  await waitForText(page, '#diary .status', 'with Leo.')
  await waitForText(page, '#paragraph', 'Leo')
  assert.is(await page.locator('#requests').isVisible(), false)
  assert.equal(refused, [])

  // Fingers need 44 pixels.
  for (const selector of ['.brand', '#pause', '#format span']) {
    const least = await page.evaluate(`getComputedStyle(document.querySelector('${selector}')).minHeight`)
    assert.is(least, '44px', selector)
  }
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Write the cards' }).click()
  await waitForText(page, '#offline', 'ask for a new link')
})

run()
