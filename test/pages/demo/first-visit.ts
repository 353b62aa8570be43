import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { startApp } from '../../helpers/app.js'
import { chooseThanksgiving, describeDemo, openWithKey, type Visit, waitForText } from '../../helpers/demo-visits.js'
import { openTemporaryFolder } from '../../helpers/temporary.js'

const { inBrowser, run } = describeDemo('demo page')

/** The numbers of the sample night, in any language. */
const restOfRex = /Rex.*8.*32/

interface Usage {
  readonly entries: readonly { pet_id: string; requests: number; units: number }[]
}

async function readUsage({ url, app }: Visit, petId: string) {
  const headers = { authorization: `Bearer ${app.key}` }
  const { entries } = (await (await fetch(`${url}/_svc/usage?by=pet`, { headers })).json()) as Usage
  const { requests, units } = entries.find(({ pet_id }) => pet_id === petId) ?? { requests: 0, units: 0 }
  return { requests, units }
}

/** Answers polls of tasks as if their pictures or clips of a pose were not ready yet, until the returned function is called. */
async function withhold(page: Page, kind: 'pet-avatar' | 'pet-animation', pose: string): Promise<() => Promise<void>> {
  const path = `**/v1/${kind}/tasks/*`
  await page.route(path, async (route) => {
    const response = await route.fetch()
    const task = await response.json()
    const image = {
      ...Object.fromEntries(Object.keys(task.images[pose]).map((name) => [name, null])),
      status: 'processing',
    }
    const images = { ...task.images, [pose]: image }
    await route.fulfill({ response, json: { ...task, images, status: 'processing', poll_after_seconds: 1 } })
  })
  return () => page.unroute(path)
}

/** Runs a visit on an app of its own, which has drawn no pet. */
async function visitOther(
  page: Page,
  variables: Record<string, string>,
  visit: (url: string, key: string) => Promise<void>,
): Promise<void> {
  const other = await startApp({ variables: { SVC_POLL_AFTER_SECONDS: '1', ...variables }, time: 'service' })
  try {
    await visit(`${(await other.app.listen()).url}/demo`, other.key)
  } finally {
    // Otherwise it would continue polling.
    await page.close()
    await other.close()
  }
}

const phone = {
  time: '2027-01-13T12:00:00Z',
  viewport: { width: 390, height: 844 },
  // On a busy machine, the library answers 503 for the first picture of a scene.
  expects: /status of 503/,
  reducedMotion: 'no-preference',
} as const

inBrowser('leads a new user from a photo through all steps, and restores them after a reload', phone, async (visit) => {
  const { page, url } = visit
  await page.addInitScript(`
      window.shift = 0
      const observer = new PerformanceObserver((list) => {
        for (const { value } of list.getEntries()) window.shift += value
      })
      observer.observe({ type: 'layout-shift', buffered: true })`)
  const readShift = () => page.evaluate<number>('window.shift')
  const before = await readUsage(visit, 'sample-dog')
  await page.goto(`${url}/demo`)
  await page.locator('#key-form').waitFor()
  await page.locator('#drop').waitFor()
  assert.ok((await readShift()) < 0.02, `with the form, ${await readShift()}`)
  await page.goto('about:blank')
  await openWithKey(visit)
  const releasePose = await withhold(page, 'pet-avatar', 'running')
  const releaseClip = await withhold(page, 'pet-animation', 'running')
  await page.getByRole('button', { name: /^Rex/ }).click()
  await waitForText(page, '#photo .status', '3 of 4 poses of Rex are drawn.')
  await releasePose()
  await waitForText(page, '#photo .status', 'Rex is ready in four poses.')
  assert.is(await page.locator('#thumbs img').count(), 4)
  await page.locator('#diary-canvas').scrollIntoViewIfNeeded()

  // All steps are filled without another click.
  await waitForText(page, '#cards', 'Rain today')
  await waitForText(page, '#paragraph', restOfRex)
  await waitForText(page, '#motion .status', /3 of 4 clips are ready: .*lying/)
  await page.locator('#canvas img[alt$=moving]').waitFor()
  await releaseClip()
  await waitForText(page, '#diary .status', ', with Rex.')
  await waitForText(page, '#diary-reason', 'was chosen because it rained.')
  await waitForText(page, '#motion .status', 'Rex moves.')
  await waitForText(page, '#diary .cost', 'so far')
  assert.ok((await readShift()) < 0.05, `with results, ${await readShift()}`)
  assert.is(await page.evaluate('document.documentElement.scrollWidth'), 390)

  await page.setViewportSize({ width: 1280, height: 720 })
  await page.evaluate('scrollTo(0, 0)')
  for (const selector of ['h1', 'button.pet', '#canvas', '.thumb']) {
    const { y, height } = (await page.locator(selector).last().boundingBox()) ?? { y: -1, height: 0 }
    assert.ok(y >= 0 && y + height <= 720, `${selector} is at ${y}, ${height} high`)
  }
  await chooseThanksgiving(page)
  await waitForText(page, '#diary .status', 'Thanksgiving, with Rex.')
  await waitForText(page, '#diary-reason', 'Thanksgiving was chosen because it was a holiday; it rained that day.')
  const source = await page.locator('#diary-canvas img:not([alt=""])').getAttribute('src')
  assert.match(source ?? '', '/objects/ai-gateway/diary/')

  await page.locator('#health-locale').getByText('Español').click()
  await waitForText(page, '#paragraph[lang=es]', restOfRex)
  await page.locator('#health-locale').getByText('中文').click()
  await waitForText(page, '#paragraph[lang=zh-CN]', restOfRex)

  await page.locator('#canvas img[alt="Rex, running, moving"]').waitFor()
  await page.getByRole('button', { name: 'walking', exact: true }).click()
  await page.locator('#canvas img[alt="Rex, walking, moving"]').waitFor()
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.locator('#canvas img[alt="Rex, walking"]').waitFor()
  await page.getByRole('button', { name: 'Play' }).click()
  await page.locator('#format').getByText('MP4').click()
  await page.locator('#canvas video[aria-label="Rex, walking"]').waitFor()
  assert.is(await page.locator('#photo .cost:not(:empty)').count(), 1)
  await waitForText(page, '#photo .cost', /^Rex so far: \d+ requests, \d+ pictures and clips, \$0\.00$/)

  // A reload restores the clips and the picture of the day, without new costs.
  const bought = await readUsage(visit, 'sample-dog')
  assert.is(bought.units, before.units + 10)
  await page.reload()
  await waitForText(page, '#motion .status', 'Rex moves.')
  await waitForText(page, '#diary .status', 'Thanksgiving, with Rex.')
  await waitForText(page, '#diary-reason', 'Thanksgiving was chosen because it was a holiday')
  assert.is(await page.locator('#date').inputValue(), '2026-11-26')
  await waitForText(page, '#diary .cost', `, ${bought.units} pictures and clips, $0.00`)
  await page.locator('#canvas img[alt="Rex, running, moving"]').waitFor()
  assert.is(await page.getByRole('button', { name: 'Make it move' }).isVisible(), false)
  assert.is((await readUsage(visit, 'sample-dog')).units, bought.units)

  // The weather is seen through the window of a holiday; a picture that was drawn is shown again.
  const rainy = await page.locator('#diary-canvas img:not([alt=""])').getAttribute('src')
  await page.locator('#weather').getByText('Snow').click()
  await waitForText(page, '#diary-reason', 'Thanksgiving was chosen because it was a holiday; it snowed that day.')
  await page.locator(`#diary-canvas img:not([alt=""], [src="${rainy}"])`).waitFor()
  await waitForText(page, '#cards', 'Snow')
  await waitForText(page, '#diary .status', 'Thanksgiving, with Rex.')
  assert.is((await readUsage(visit, 'sample-dog')).units, bought.units + 1)
  await page.locator('#weather').getByText('Rain').click()
  await page.locator(`#diary-canvas img:not([alt=""])[src="${rainy}"]`).waitFor()
  assert.is((await readUsage(visit, 'sample-dog')).units, bought.units + 1)
})

const offline = { expects: /ERR_INTERNET_DISCONNECTED/, permissions: ['clipboard-read', 'clipboard-write'] }
inBrowser('reports an unreachable server, continues once it is back, and copies commands', offline, async (visit) => {
  const { page, context, app } = visit
  await openWithKey(visit)
  await page.getByRole('button', { name: 'Forget the key' }).waitFor()
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Write it' }).click()
  await waitForText(page, '#offline', 'The server does not answer.')
  await context.setOffline(false)
  await page.locator('#health').getByRole('button', { name: 'Try again' }).click()
  await waitForText(page, '#paragraph', 'Rex')
  assert.is(await page.locator('#health .problem').textContent(), '')
  assert.is(await page.locator('#offline').textContent(), '')

  await page.getByRole('button', { name: /^Rex/ }).click()
  await waitForText(page, '#photo .status', 'Drawing Rex')
  await context.setOffline(true)
  await waitForText(page, '#offline', 'The server does not answer.')
  await context.setOffline(false)
  await waitForText(page, '#photo .status', 'Rex is ready in four poses.')
  assert.is(await page.locator('#photo .controls > .problem').textContent(), '')

  await page.locator('#photo > .under .trace > summary').click()
  await page.locator('#photo > .under').getByText('Queries').click()
  await waitForText(page, '#photo > .under .trace .note', 'export SVC_API_KEY=')
  assert.not.match(await page.content(), app.key)
  // The commands work in an empty folder.
  const { folder, close } = openTemporaryFolder()
  const run = async (index: number) => {
    await page.locator('#photo').getByRole('button', { name: 'Copy as curl' }).nth(index).click()
    await page.locator('#photo').getByRole('button', { name: 'Copied' }).waitFor()
    const curl = await page.evaluate<string>('navigator.clipboard.readText()')
    const options = { cwd: folder, env: { ...process.env, SVC_API_KEY: app.key }, timeout: 100_000 }
    return JSON.parse((await promisify(execFile)('sh', ['-c', curl], options)).stdout)
  }
  assert.match((await run(0)).task_id, /^avatar_/)
  await page.locator('#photo').getByRole('button', { name: 'Copied' }).waitFor({ state: 'detached' })
  assert.is((await run(1)).status, 'success')
  close()
})

// A pose that fails also fails the scenes that ask for it.
inBrowser('shows which poses failed, draws the day from another', { expects: /status of 502/ }, async ({ page }) => {
  await visitOther(page, { SVC_STUB_FAIL: 'sitting,walking,running' }, async (url, key) => {
    await page.goto(`${url}#key=${key}`)
    await page.getByRole('button', { name: /^Rex/ }).click()
    await waitForText(page, '#photo .status', /^1 of 4 poses of Rex are drawn\. .*The running pose failed: ./)
    await waitForText(page, '.thumb[data-status=failed]', 'failed')
    await page.getByLabel('Scene').selectOption({ label: 'Nap on the sofa' })
    await waitForText(page, '#diary .status', 'Nap on the sofa, with Rex.')
    await page.getByRole('button', { name: 'Make it move' }).click()
    await waitForText(page, '#motion .status', 'Rex moves.')
    await page.reload()
    await waitForText(page, '#motion .status', 'Rex moves.')
    await page.getByRole('button', { name: 'Play' }).click()
    await page.locator('#canvas img[alt="Rex, lying, moving"]').waitFor()
  })
})

run()
