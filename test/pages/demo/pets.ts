import type { Page, Route } from 'playwright-core'
import * as assert from 'uvu/assert'
import { startApp } from '../../helpers/app.js'
import { chooseThanksgiving, describeDemo, openWithDog, waitForText } from '../../helpers/demo-visits.js'
import { openTemporaryFolder } from '../../helpers/temporary.js'

const { inBrowser, run } = describeDemo('demo page, several pets and visits')

/** Holds the first call whose body contains a text, until it is released. */
async function holdCall(page: Page, path: string, text: string): Promise<() => Promise<void>> {
  const held: Route[] = []
  let isOpen = false
  await page.route(`**/${path}`, async (route) => {
    if (isOpen || held.length > 0 || !route.request().postData()?.includes(text)) await route.continue()
    else held.push(route)
  })
  return async () => {
    isOpen = true
    await held[0]?.continue()
  }
}

inBrowser('draws two pets at once, and shows each result for its pet', { expects: /status of 503/ }, async (visit) => {
  const { page } = visit
  await openWithDog(visit)
  await chooseThanksgiving(page)
  await waitForText(page, '#diary .status', 'Thanksgiving, with Rex.')
  const release = await holdCall(page, 'v1/pet-diary-image-libraries/select', 'sample-dog')
  await page.getByRole('button', { name: 'Draw it again' }).click()
  await page.getByRole('button', { name: /^Chelsea/ }).click()
  await waitForText(page, '#photo .status', 'Chelsea is ready in four poses.')
  await waitForText(page, '#cards', 'Chelsea')
  await waitForText(page, '#diary .status', 'Thanksgiving, with Chelsea.')
  const answered = page.waitForResponse((answer) => /pet-diary-images\/tasks.*sample-dog/.test(answer.url()))
  await release()
  await answered
  await waitForText(page, '#diary .cost', /^Chelsea so far/)
  await waitForText(page, '#diary .status', 'Thanksgiving, with Chelsea.')
  await page.getByRole('button', { name: /^Rex/ }).click()
  await waitForText(page, '#diary .status', 'Thanksgiving, with Rex.')
  await waitForText(page, '#diary .cost', /^Rex so far/)
  await waitForText(page, '#photo .status', 'Rex is ready in four poses.')
  await waitForText(page, '#photo .cost', /^Rex so far/)
  await waitForText(page, '#photo > .under .trace > summary', 'POST /v1/pet-avatar/generate')
  await page.locator('#canvas img[alt="Rex, lying"]').waitFor()
  await waitForText(page, '#cards', 'Rex')

  await page.getByRole('button', { name: /^Chelsea/ }).click()
  assert.is(await page.locator('#fixture optgroup[label=Barking]').count(), 0)
  assert.is(await page.locator('#examples').getByText('Barking').count(), 0)
  await waitForText(page, '#paragraph', 'Chelsea')
  await page.getByRole('button', { name: /^Rex/ }).click()
  await waitForText(page, '#paragraph', /Rex.*8.*32/)
  assert.is(await page.locator('#examples input').count(), 9)
  await page.locator('#examples').getByText('Barking').click()
  await waitForText(page, '#paragraph', /Rex.*41/)
  assert.is(await page.locator('#examples input').count(), 9)
  await page.locator('#examples').getByText('All', { exact: true }).click()
  await page.locator('#fixture').selectOption({ label: 'Day, calm' })
  await waitForText(page, '#paragraph', /Rex.*[^\d]9[^\d]/)
  await waitForText(page, '#condition', 'Said for: barking on a past day, rated calm.')
  await page.getByRole('button', { name: /^Chelsea/ }).click()
  await waitForText(page, '#paragraph', 'Chelsea')

  for (const [step, button, path, shown] of [
    ['#health', 'Write it', 'v1/health-detail-insights/generate', '#paragraph[lang=es]'],
    ['#home', 'Write the cards', 'v1/home-insights/generate', '#cards[lang=es]'],
  ] as const) {
    const release = await holdCall(page, path, 'en-US')
    await page.getByRole('button', { name: button }).click()
    await waitForText(page, `${step} .status`, 'Writing…')
    await page.locator(`${step}-locale`).getByText('Español').click()
    await release()
    await page.locator(shown).waitFor()
  }

  await page.emulateMedia({ forcedColors: 'active' })
  for (const kind of ['.pet', '.thumb']) {
    const styleOf = (state: string) =>
      page
        .locator(`${kind}[aria-pressed=${state}]:not(:focus)`)
        .first()
        .evaluate((element) => element.ownerDocument.defaultView?.getComputedStyle(element).outlineStyle)
    await page.locator('#date').focus()
    assert.is(await styleOf('true'), 'solid', kind)
    assert.is(await styleOf('false'), 'none', kind)
  }
})

inBrowser('goes on drawing after a restart', { expects: /ERR_(CONNECTION_RE|EMPTY_RESPONSE)/ }, async ({ page }) => {
  const place = openTemporaryFolder()
  const variables = { SVC_STUB_DELAY_MS: '2000', SVC_POLL_AFTER_SECONDS: '1' }
  const serve = async (port?: string) => {
    const server = await startApp({
      ...{ dataDir: place.folder, variables, time: 'service', drainMs: 0 },
      ...(port !== undefined && { port }),
    })
    return { ...server, url: new URL((await server.app.listen()).url) }
  }
  const first = await serve()
  await page.goto(`${first.url.origin}/demo#key=${first.key}`)
  await page.getByRole('button', { name: /^Rex/ }).click()
  await waitForText(page, '#photo .status', 'of 4 poses of Rex are drawn.')
  await first.close()
  await waitForText(page, '#offline', 'The server does not answer.')
  const second = await serve(first.url.port)
  await waitForText(page, '#photo .status', 'Rex is ready in four poses.')
  // Otherwise it would continue polling.
  await page.close()
  await second.close()
  place.close()
})

run()
