import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import * as assert from 'uvu/assert'
import { startApp } from '../helpers/app.js'
import {
  chooseThanksgiving,
  describeDemo,
  drawDog,
  openWithDog,
  openWithKey,
  type Visit,
  waitForText,
} from '../helpers/demo-visits.js'
import { openTemporaryFolder } from '../helpers/temporary.js'

const { inBrowser, run } = describeDemo('demo page')

interface Usage {
  readonly entries: readonly { pet_id: string; requests: number; units: number }[]
}

async function readUsage({ url, app }: Visit, petId: string) {
  const headers = { authorization: `Bearer ${app.key}` }
  const { entries } = (await (await fetch(`${url}/_svc/usage?by=pet`, { headers })).json()) as Usage
  const { requests, units } = entries.find(({ pet_id }) => pet_id === petId) ?? { requests: 0, units: 0 }
  return { requests, units }
}

// On a busy machine, the library answers 503 for the first picture of a scene.
inBrowser(
  'leads a new user from a photo through all steps, and restores the results after a reload',
  async (visit) => {
    const { page } = visit
    const before = await readUsage(visit, 'sample-dog')
    await openWithKey(visit)
    await drawDog(page)
    assert.is(await page.locator('#thumbs img').count(), 4)
    assert.is(await page.locator('#canvas img').getAttribute('alt'), 'Rex, lying')
    await page.getByRole('button', { name: 'running', exact: true }).click()
    assert.is(await page.locator('#canvas img').getAttribute('alt'), 'Rex, running')

    await page.getByRole('button', { name: 'Make it move' }).click()
    await chooseThanksgiving(page)
    await page.getByRole('button', { name: 'Draw the day' }).click()
    await waitForText(page, '#diary .status', 'Thanksgiving, with Rex.')
    await waitForText(page, '#diary-reason', /Thanksgiving was chosen: it scores 0\.\d+ \(.*holiday.*\)\./)
    assert.match((await page.locator('#diary-canvas img').getAttribute('src')) ?? '', '/objects/ai-gateway/diary/')

    await page.getByRole('button', { name: 'Write the cards' }).click()
    await waitForText(page, '#cards', 'Rain today')

    await page.getByRole('button', { name: 'Write it' }).click()
    await waitForText(page, '#paragraph', 'Last night, Rex rested 8\u00A0h 32\u00A0min')
    await page.locator('#health-locale').getByText('Español').click()
    await waitForText(page, '#paragraph[lang=es]', 'Anoche, Rex descansó 8\u00A0h 32\u00A0min')
    await page.locator('#health-locale').getByText('中文').click()
    await waitForText(page, '#paragraph[lang=zh-CN]', '昨晚，Rex休息了8小时32分钟')

    await waitForText(page, '#motion .status', 'Rex moves.')
    assert.is(await page.locator('#clips img[alt$=moving]').count(), 4)
    await page.getByRole('button', { name: 'Pause' }).click()
    assert.is(await page.locator('#clips img[alt$=moving]').count(), 0)
    await page.getByRole('button', { name: 'Play' }).click()
    await page.locator('#format').getByText('MP4').click()
    assert.is(await page.locator('#clips video').count(), 4)
    await waitForText(page, '#motion .cost', /^Rex so far: \d+ requests, \d+ pictures and clips, \$0\.00$/)

    // A reload restores the clips and the picture of the day, without new costs.
    const bought = await readUsage(visit, 'sample-dog')
    assert.is(bought.units, before.units + 9)
    await page.reload()
    await waitForText(page, '#motion .status', 'Rex moves.')
    await waitForText(page, '#diary .status', 'Thanksgiving, with Rex.')
    const cost = `Rex so far: ${bought.requests} requests, ${bought.units} pictures and clips, $0.00`
    await waitForText(page, '#diary .cost', cost)
    assert.is(await page.locator('#clips img[alt$=moving]').count(), 4)
    assert.is(await page.getByRole('button', { name: 'Make it move' }).isVisible(), false)
    assert.equal(await readUsage(visit, 'sample-dog'), bought)
  },
  { expects: /status of 503/, reducedMotion: 'no-preference' },
)

inBrowser(
  'copies each request as a command that works in an empty folder, without the key',
  async (visit) => {
    const { page, app } = visit
    await openWithKey(visit)
    await drawDog(page)
    await page.locator('#photo .trace summary').click()
    await waitForText(page, '#photo .trace .note', 'export SVC_API_KEY=')
    assert.not.match(await page.content(), app.key)
    const { folder, close } = openTemporaryFolder()
    const run = async (index: number) => {
      await page.locator('#photo').getByRole('button', { name: 'Copy as curl' }).nth(index).click()
      await page.locator('#photo').getByRole('button', { name: 'Copied' }).waitFor()
      const curl = await page.evaluate<string>('navigator.clipboard.readText()')
      const options = { cwd: folder, env: { ...process.env, SVC_API_KEY: app.key }, timeout: 10_000 }
      return JSON.parse((await promisify(execFile)('sh', ['-c', curl], options)).stdout)
    }
    assert.match((await run(0)).task_id, /^avatar_/)
    await page.locator('#photo').getByRole('button', { name: 'Copied' }).waitFor({ state: 'detached' })
    assert.is((await run(1)).status, 'success')
    close()
  },
  { permissions: ['clipboard-read', 'clipboard-write'] },
)

inBrowser(
  'reports that the server is unreachable, and continues once it is back',
  async (visit) => {
    const { page, context } = visit
    await openWithKey(visit)
    await page.getByRole('button', { name: 'Forget the key' }).waitFor()
    await context.setOffline(true)
    await page.getByRole('button', { name: 'Write it' }).click()
    await waitForText(page, '#health .problem', 'The server does not answer.')
    await context.setOffline(false)
    await page.locator('#health').getByRole('button', { name: 'Try again' }).click()
    await waitForText(page, '#paragraph', 'Last night')
    assert.is(await page.locator('#health .problem').textContent(), '')

    await page.getByRole('button', { name: /^Rex/ }).click()
    await waitForText(page, '#photo .status', 'Drawing Rex')
    await context.setOffline(true)
    await waitForText(page, '#photo .controls > .problem', 'Trying again…')
    await context.setOffline(false)
    await waitForText(page, '#photo .status', 'Rex is ready in four poses.')
    assert.is(await page.locator('#photo .controls > .problem').textContent(), '')
  },
  { expects: /ERR_INTERNET_DISCONNECTED/ },
)

inBrowser(
  'links to the guide and the reference and back, also on a phone',
  async ({ page, url }) => {
    await page.goto(`${url}/demo`)
    for (const name of ['Guide', 'Demo', 'Reference', 'Demo', 'Guide', 'Reference', 'Guide']) {
      await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }).click()
      await page.waitForURL({ Guide: `${url}/api-docs`, Reference: /\/docs/, Demo: `${url}/demo` }[name] ?? '')
    }
  },
  { viewport: { width: 390, height: 844 } },
)

inBrowser('keeps the pets separate, and remembers the chosen theme', async (visit) => {
  const { page } = visit
  await openWithDog(visit)
  await page.getByRole('button', { name: /^Chelsea/ }).click()
  await waitForText(page, '#photo .status', 'Chelsea is ready in four poses.')
  await page.getByRole('button', { name: 'Write the cards' }).click()
  await waitForText(page, '#cards', 'Chelsea')
  await page.getByRole('button', { name: /^Rex/ }).click()
  await waitForText(page, '#photo .status', 'Rex is ready in four poses.')
  await waitForText(page, '#photo .cost', /^Rex so far/)
  assert.is(await page.locator('#canvas img').getAttribute('alt'), 'Rex, lying')
  assert.is(await page.locator('#cards li').count(), 0)
  const findTheme = () => page.locator('html').evaluate((root) => root.style.colorScheme)
  await page.getByRole('button', { name: 'Dark theme' }).click()
  assert.is(await findTheme(), 'dark')
  await page.reload()
  assert.is(await findTheme(), 'dark')
  await page.getByRole('button', { name: 'Light theme' }).click()
  assert.is(await findTheme(), 'light')
})

inBrowser(
  'shows which poses failed, draws the day from another, and restores the clips after a reload',
  async ({ page }) => {
    const variables = { SVC_POLL_AFTER_SECONDS: '1', SVC_STUB_FAIL: 'sitting,walking,running' }
    const failing = await startApp({ variables, now: () => Date.now() })
    try {
      await page.goto(`${(await failing.app.listen()).url}/demo#key=${failing.key}`)
      await page.getByRole('button', { name: /^Rex/ }).click()
      await waitForText(page, '#photo .status', /^1 of 4 poses of Rex are drawn\. .*The running pose failed: ./)
      await waitForText(page, '.thumb[data-status=failed]', 'failed')
      await page.getByLabel('Scene').selectOption({ label: 'Nap on the sofa' })
      await page.getByRole('button', { name: 'Draw the day' }).click()
      await waitForText(page, '#diary .status', 'Nap on the sofa, with Rex.')
      await page.getByRole('button', { name: 'Make it move' }).click()
      await waitForText(page, '#motion .status', 'Rex moves.')
      await page.reload()
      await waitForText(page, '#motion .status', 'Rex moves.')
      assert.is(await page.locator('#clips img[alt$=moving]').count(), 1)
    } finally {
      // Otherwise it would continue polling.
      await page.close()
      await failing.close()
    }
  },
  { reducedMotion: 'no-preference' },
)

run()
