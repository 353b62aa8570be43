import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { startApp } from '../helpers/app.js'
import { describeDemo, drawDog, openWithKey, type Visit, waitForText } from '../helpers/demo-visits.js'
import { openTemporaryFolder } from '../helpers/temporary.js'

const { inBrowser, run } = describeDemo('demo page')
const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
const photo = (name: string) => fileURLToPath(new URL(`../../fixtures/photos/${name}`, import.meta.url))

interface AxeResult {
  readonly violations: readonly { id: string; nodes: readonly { html: string; failureSummary: string }[] }[]
}

const animationsEnd = `Promise.allSettled(document.getAnimations()
  .filter((animation) => animation.effect.getComputedTiming().endTime < Infinity)
  .map((animation) => animation.finished))`

/** What axe finds; it gets in through the debugger, which the page's policy does not hold for. */
async function findAxeFaults({ page, context }: Visit): Promise<string[]> {
  const session = await context.newCDPSession(page)
  // What fades in has less contrast until it is there.
  await session.send('Runtime.evaluate', { expression: animationsEnd, awaitPromise: true })
  await session.send('Runtime.evaluate', { expression: axe })
  const { result } = await session.send('Runtime.evaluate', {
    expression: 'axe.run()',
    awaitPromise: true,
    returnByValue: true,
  })
  await session.detach()
  const { violations } = result.value as AxeResult
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html}\n${node.failureSummary}`))
}

/** Pixels by which the page is wider than the window. */
const findOverflow = (page: Page) => page.locator('html').evaluate((root) => root.scrollWidth - root.clientWidth)

/** Has something to show in every step. */
async function fillAll(visit: Visit): Promise<void> {
  const { page } = visit
  await openWithKey(visit)
  await drawDog(page)
  await page.getByRole('button', { name: 'Make it move' }).click()
  await page.getByRole('button', { name: 'Write the cards' }).click()
  await page.getByRole('button', { name: 'Write it' }).click()
  await page.getByRole('button', { name: 'Draw the day' }).click()
  await waitForText(page, '#diary .status', 'Thanksgiving, with Rex.')
  for (const summary of await page.locator('.trace summary').all()) if (await summary.isVisible()) await summary.click()
  await page.locator('#request-rows button').filter({ hasText: 'pet-avatar/generate' }).first().click()
  await waitForText(page, '#request-rows .detail', 'Timeline')
  await waitForText(page, '#motion .status', 'Rex moves.')
}

// On a busy machine, the library asks to wait for the first picture of a scene.
inBrowser(
  'takes a newcomer from a photo to all there is',
  async (visit) => {
    const { page } = visit
    await openWithKey(visit)
    await drawDog(page)
    assert.is(await page.locator('#thumbs img').count(), 4)
    assert.is(await page.locator('#canvas img').getAttribute('alt'), 'Rex, lying')
    await page.getByRole('button', { name: 'running', exact: true }).click()
    assert.is(await page.locator('#canvas img').getAttribute('alt'), 'Rex, running')

    await page.getByRole('button', { name: 'Make it move' }).click()
    await page.getByRole('button', { name: 'Draw the day' }).click()
    await waitForText(page, '#diary .status', 'Thanksgiving, with Rex.')
    await waitForText(page, '#diary-reason', /Thanksgiving was chosen: it fits by 0\.\d+ \(.*holiday.*\)\./)
    assert.match((await page.locator('#diary-canvas img').getAttribute('src')) ?? '', '/objects/ai-gateway/diary/')

    await page.getByRole('button', { name: 'Write the cards' }).click()
    await waitForText(page, '#cards', 'Rain today')

    await page.getByRole('button', { name: 'Write it' }).click()
    await waitForText(page, '#paragraph', 'Last night, 小满 rested 8 h 32 min')
    await page.locator('#health-locale').getByText('Español').click()
    await waitForText(page, '#paragraph[lang=es]', 'Anoche, 小满 descansó 8 h 32 min')
    await page.locator('#health-locale').getByText('中文').click()
    await waitForText(page, '#paragraph[lang=zh-CN]', '昨晚，小满休息了8小时32分钟')

    await waitForText(page, '#motion .status', 'Rex moves.')
    assert.is(await page.locator('#clips img[alt$=moving]').count(), 4)
    await page.getByRole('button', { name: 'Pause' }).click()
    assert.is(await page.locator('#clips img[alt$=moving]').count(), 0)
    await page.getByRole('button', { name: 'Play' }).click()
    await page.locator('#format').getByText('MP4').click()
    assert.is(await page.locator('#clips video').count(), 4)
    await waitForText(page, '#motion .cost', /^Rex so far: \d+ requests, \d+ pictures and clips, \$0\.00$/)
  },
  { expects: /status of 503/ },
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

inBrowser('takes the key and tasks from the address, and shows what they have drawn', async (visit) => {
  const { page, context, app, url } = visit
  const taskIds = await Promise.all(
    (['dog', 'cat'] as const).map(async (species) => {
      const form = new FormData()
      form.set('source_image', new Blob([readFileSync(photo(`${species}.jpg`))]))
      for (const [name, value] of Object.entries({ species, user_id: 'demo', pet_id: `sample-${species}` })) {
        form.set(name, value)
      }
      const headers = { authorization: `Bearer ${app.key}` }
      const created = await fetch(`${url}/v1/pet-avatar/generate`, { method: 'POST', headers, body: form })
      return ((await created.json()) as { task_id: string }).task_id
    }),
  )
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
  'shows the error envelope of a key that is not valid, and takes the right one',
  async ({ page, app, url }) => {
    await page.goto(`${url}/demo`)
    await page.getByRole('button', { name: /^Rex/ }).click()
    await waitForText(page, '#key-form .problem', 'First the key')
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

for (const [file, reason] of [
  ['not-an-image.jpg', 'source_image'],
  ['too-small.jpg', '256'],
] as const) {
  inBrowser(
    `says what is wrong with ${file}, as the server does`,
    async (visit) => {
      const { page } = visit
      await openWithKey(visit)
      await page.locator('#file').setInputFiles(photo(file))
      await page.getByLabel('Name').first().fill('Tom')
      await page.getByText('Cat', { exact: true }).click()
      await page.getByRole('button', { name: 'Draw four poses' }).click()
      await waitForText(page, '#photo .controls > .problem', reason)
      await waitForText(page, '#photo .controls > .problem', /422 invalid_request request req_\w+/)
      // Another pet makes it forgotten.
      await page.getByRole('button', { name: /^Rex/ }).click()
      await waitForText(page, '#photo .status', 'Rex is ready in four poses.')
      assert.is(await page.locator('#photo .controls > .problem').textContent(), '')
    },
    { expects: /status of 422/ },
  )
}

inBrowser(
  'says that the server is gone, and goes on once it is back',
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

inBrowser('keeps the pets apart, and the theme that was chosen', async (visit) => {
  const { page } = visit
  await openWithKey(visit)
  await drawDog(page)
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

inBrowser('says which pose failed, and draws the day from another', async ({ page }) => {
  const failing = await startApp({
    variables: { SVC_POLL_AFTER_SECONDS: '1', SVC_STUB_FAIL: 'running' },
    now: () => Date.now(),
  })
  try {
    await page.goto(`${(await failing.app.listen()).url}/demo#key=${failing.key}`)
    await page.getByRole('button', { name: /^Rex/ }).click()
    await waitForText(page, '#photo .status', /^3 of 4 poses of Rex are drawn\. The running pose failed: ./)
    await waitForText(page, '.thumb[data-status=failed]', 'failed')
    await page.getByLabel('Scene').selectOption({ label: 'Walk in the rain' })
    await page.getByRole('button', { name: 'Draw the day' }).click()
    await waitForText(page, '#diary .status', 'Walk in the rain, with Rex.')
  } finally {
    // Else it would go on to ask.
    await page.close()
    await failing.close()
  }
})

inBrowser('keeps a hostile name of a pet as text, in the page and in the shell', async (visit) => {
  const { page } = visit
  const name = `<img src=x onerror="alert(1)"> '; touch /tmp/svc-hostile; echo "$(id)`
  await openWithKey(visit)
  await page.locator('#file').setInputFiles(photo('cat.jpg'))
  await page.getByLabel('Name').first().fill(name)
  await page.getByText('Cat', { exact: true }).click()
  await page.getByRole('button', { name: 'Draw four poses' }).click()
  await waitForText(page, '#photo .status', `${name} is ready in four poses.`)
  await page.getByRole('button', { name: 'Write the cards' }).click()
  await waitForText(page, '#cards', name)
  assert.is(await page.locator('img[src=x]').count(), 0)
  await page.reload()
  await waitForText(page, '#photo .status', `${name} is ready in four poses.`)
  assert.is(await page.locator('img[src=x]').count(), 0)
  await page.getByRole('button', { name: 'Write the cards' }).click()
  await waitForText(page, '#cards', name)
  await page.locator('#home .trace summary').click()
  const curl = await page.getByRole('group', { name: 'Request as curl' }).first().textContent()
  const { stdout } = await promisify(execFile)('sh', ['-c', `${curl}`.replace('curl', "printf '%s\\n'")])
  assert.match(stdout, `"pet_name":${JSON.stringify(name)}`)
})

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

inBrowser(
  'says to other keys that cost and requests are for those of admins',
  async ({ page, app, url }) => {
    const { text } = await app.createKey()
    await page.goto(`${url}/demo#key=${text}`)
    await page.getByRole('button', { name: 'Write the cards' }).click()
    await waitForText(page, '#home .cost', 'What it cost is shown to keys made with --admin.')
    await waitForText(page, '#requests .status', 'It is shown to keys made with --admin.')
    assert.is(await page.locator('#request-table').isVisible(), false)
  },
  { expects: /status of 403/ },
)

inBrowser('can be used with the keyboard alone', async ({ page, app, url }) => {
  await page.goto(`${url}/demo`)
  const reach = async (selector: string) => {
    for (let presses = 0; presses < 60; presses++) {
      await page.keyboard.press('Tab')
      if (await page.locator(selector).evaluate((element) => element.matches(':focus'))) return
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
  assert.is(await page.locator('#canvas img').getAttribute('alt'), 'Rex, walking')
  await reach('#animate')
  await page.keyboard.press('Enter')
  await waitForText(page, '#motion .status', 'Rex moves.')
  await hasFocus('#pause')
  await reach('#weather input:checked')
  await page.keyboard.press('ArrowRight')
  assert.is(await page.locator('#weather input:checked').inputValue(), 'snow')
  await reach('#diary-form button')
  await page.keyboard.press('Enter')
  await waitForText(page, '#diary .status', 'with Rex.')
  await hasFocus('#diary-form button')
  await reach('#home-form button')
  await page.keyboard.press('Enter')
  await waitForText(page, '#cards', "Today's activity")
  await reach('#health-locale input:checked')
  await page.keyboard.press('ArrowLeft')
  await waitForText(page, '#paragraph[lang=es]', 'Anoche')
  const again = '#request-rows tr:has(.code:text-is("200")):has(td:text-is("local")) button:text-is("GET /v1/models")'
  await reach(again)
  const { status } = await fetch(`${url}/v1/models`, { headers: { authorization: `Bearer ${app.key}` } })
  assert.is(status, 200)
  await waitForText(page, '#request-rows tr:has(button:focus)', 'the last of')
})

inBrowser(
  'plays nothing by itself for those who asked for less motion',
  async (visit) => {
    const { page } = visit
    await openWithKey(visit)
    await drawDog(page)
    await page.getByRole('button', { name: 'Make it move' }).click()
    await waitForText(page, '#motion .status', 'Rex moves.')
    assert.is(await page.locator('#clips img[alt$=moving]').count(), 0)
    await page.getByRole('button', { name: 'Play' }).click()
    assert.is(await page.locator('#clips img[alt$=moving]').count(), 4)
  },
  { reducedMotion: 'reduce' },
)

for (const [device, width] of [
  ['a desktop', 1360],
  ['a phone', 390],
] as const) {
  inBrowser(
    `has no fault that axe finds, and fits, on ${device}, light and dark`,
    async (visit) => {
      const { page, url } = visit
      const check = async (state: string) => {
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme })
          assert.equal(await findAxeFaults(visit), [], `${state}, ${colorScheme}`)
        }
        for (const narrow of device === 'a phone' ? [width, 320] : [width]) {
          await page.setViewportSize({ width: narrow, height: 844 })
          assert.is(await findOverflow(page), 0, `${state}, ${narrow} px`)
        }
        await page.setViewportSize({ width, height: 844 })
      }
      await page.goto(`${url}/demo`)
      await check('without a key')
      await fillAll(visit)
      await check('with all there is')
      await page.getByRole('button', { name: 'Send a broken one' }).click()
      await waitForText(page, '#health .problem', '422')
      await check('with an error')
    },
    { viewport: { width, height: 844 }, reducedMotion: 'reduce', expects: /status of 422/ },
  )
}

run()
