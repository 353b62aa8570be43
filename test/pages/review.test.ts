// run: takes 9 s
import { pathToFileURL } from 'node:url'
import type { BrowserContextOptions, Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { renderReviewPage } from '../../src/copydesk/page/page.js'
import type { Review } from '../../src/copydesk/page/review.js'
import { closeShared, describeBrowser, openShared } from '../helpers/browser-suite.js'
import { colorRules, findViolations, strictRules } from '../helpers/page-faults.js'
import { examplesOf, reviewChanged } from '../helpers/review.js'
import { openTemporaryFolder } from '../helpers/temporary.js'

const place = openTemporaryFolder()
const review = reviewChanged([
  ['STREAK_NIGHTS', 'en-US', 'nights in a row', 'nights running'],
  ['BARK_TODAY', 'es', 'hoy', 'en el día'],
])
const total = examplesOf(review).length
/** Enough for most tests. */
const shortIds = /^(REST_NIGHT_(FAIR|POOR)|BARK_(TODAY|DAY_ACTIVE|DAY_FREQUENT|PERIOD_UNUSUAL_DAYS))$/
const short = { ...review, scenarios: review.scenarios.filter(({ id }) => shortIds.test(id)) }
const wholePage = writePage('whole.html', review)
const shortPage = writePage('short.html', short)
/** Shows every example, not one for each wording. */
const all = '#examples=all'
const firstOf = (content: Review) => examplesOf(content).filter(({ isFirst }) => isFirst)

const { described: pages, inBrowser } = describeBrowser('review page in Chromium')
pages.after(() => place.close())

function writePage(name: string, content: Review): string {
  return pathToFileURL(place.write(name, renderReviewPage(content, '2026-10-14'))).href
}

interface Options extends BrowserContextOptions {
  readonly address?: string
}

const viewport = { width: 1440, height: 900 }

/** Defines a test in an offline browser that fails on any error or request of the page. */
function onPage(
  title: string,
  { address = `${shortPage}${all}`, ...options }: Options,
  test: (page: Page) => Promise<void>,
): void {
  inBrowser(title, async (_, browser) => {
    const isShared = Object.keys(options).length === 0
    const page = isShared
      ? await openShared(browser, viewport, { offline: true })
      : await browser.newPage({ offline: true, viewport, ...options })
    const faults: string[] = []
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
    page.on('request', (request) => !/^(file|blob):/.test(request.url()) && faults.push(request.url()))
    page.on('pageerror', (error) => faults.push(error.message))
    await page.goto(address)
    await test(page)
    assert.equal(faults, [])
    await closeShared(page)
  })
}

const shown = (page: Page) => page.locator('#shown').textContent()
const visible = (page: Page) => page.locator('.example:visible').count()
const textOf = async (page: Page, selector: string) => (await page.locator(selector).textContent()) ?? ''

onPage('opens with one example for each wording, and shows all on request', { address: wholePage }, async (page) => {
  const first = firstOf(review).length
  assert.equal([await shown(page), await visible(page)], [`${first} of ${total}`, first])
  const elements = await page.evaluate<number>(`document.querySelectorAll('*').length`)
  assert.ok(elements < 4000, `${elements} elements`)
  assert.match(await textOf(page, '#read-count'), `0 of ${first * 3} read`)
  await page.uncheck('#brief')
  assert.equal([await shown(page), await visible(page)], [`${total} of ${total}`, total])
  assert.match(page.url(), all)
  const order = await page.evaluate<number[]>(
    `[...document.querySelectorAll('.example')].map(({ id }) => Number(id.slice(1)))`,
  )
  const numbers = Array.from({ length: total }, (_, index) => index + 1)
  assert.equal(order, numbers)
  await page.check('#brief')
  assert.is(await visible(page), first)
})

onPage('writes dates in the language of the reader', { locale: 'es' }, async (page) => {
  assert.match(await textOf(page, '#REST_NIGHT_POOR h3 >> nth=0'), '14 de octubre de 2026')
  assert.match(await textOf(page, 'header'), 'page made on 14 de octubre de 2026')
  const read = page.locator('#REST_NIGHT_POOR .tick-box').first()
  assert.match((await read.getAttribute('aria-label')) ?? '', '14 de octubre de 2026')
})

onPage('filters, counts each option, and keeps the choice in the address', {}, async (page) => {
  await page.selectOption('#metric', 'bark')
  await page.selectOption('#status', 'attention')
  const expected = examplesOf(short).filter(({ metric, status }) => metric === 'bark' && status === 'attention').length
  assert.is(await visible(page), expected)
  assert.is(await page.locator('#metric option:checked').textContent(), `Barking (${expected})`)
  assert.is(await page.locator('.scenario:visible').count(), 3)
  assert.match(page.url(), '#metric=bark&status=attention')
  await page.reload()
  assert.is(await visible(page), expected)
  await page.click('.filters [data-action=clear]')
  assert.is(await visible(page), examplesOf(short).length)
})

onPage('shows only texts that changed since sign-off, or whose English did', {}, async (page) => {
  const count = (state: string) =>
    examplesOf(short).filter(({ texts }) => texts.some((text) => text.state === state)).length
  await page.selectOption('#show', 'changed')
  assert.is(await visible(page), count('changed'))
  assert.match(await textOf(page, '#REST_NIGHT_POOR .changes >> nth=0'), /removed: in a row/)
  await page.selectOption('#show', 'stale')
  assert.is(await visible(page), count('stale'))
  await page.selectOption('#show', 'unsigned')
  assert.is(await page.locator('#nothing').isVisible(), true)
})

onPage('shows an example that an address names, also a hidden one', { address: shortPage }, async (page) => {
  const hidden = examplesOf(short).findIndex(({ isFirst, metric }) => !isFirst && metric === 'bark') + 1
  assert.is(await page.locator(`#e${hidden}`).count(), 0)
  await page.selectOption('#metric', 'rest')
  await page.evaluate(`location.hash = 'e${hidden}'`)
  await page.locator(`#e${hidden}:visible`).waitFor()
  const top = (await page.locator(`#e${hidden}`).boundingBox())?.y ?? -1
  assert.ok(top >= 0 && top < 900, `${top}`)
})

onPage('searches all examples on request', { address: shortPage }, async (page) => {
  const derived = examplesOf(short).find(({ changes, isFirst }) => !isFirst && changes.length > 0)
  await page.fill('#q', `${derived?.changes.join(' ')} ${derived?.fixture}`)
  assert.is(await visible(page), 0)
  await page.click('#nothing [data-action=all]')
  assert.ok((await visible(page)) > 0)
})

const searches: readonly (readonly [words: string, scenario: string])[] = [
  ['durmio MAL', 'REST_NIGHT_POOR'],
  ['睡得不太好', 'REST_NIGHT_POOR'],
  ['slept poorly', 'REST_NIGHT_POOR'],
  ['rest_night_fair', 'REST_NIGHT_FAIR'],
  ['barking past rated frequent', 'BARK_DAY_FREQUENT'],
]
onPage('finds words of any language, an ID or a condition, ignoring accents and case', {}, async (page) => {
  for (const [words, scenario] of searches) {
    await page.fill('#q', words)
    assert.is(await page.locator(`#${scenario}`).isVisible(), true, words)
    assert.is(await page.locator('.scenario:visible').count(), 1, words)
  }
  await page.fill('#q', 'no such words')
  await page.click('#nothing button')
  assert.is(await visible(page), examplesOf(short).length)
})

onPage('is for reading: keeps ticks over a reload, and has no fields for comments or edits', {}, async (page) => {
  await page.locator('#REST_NIGHT_POOR .tick-box >> nth=0').check()
  await page.locator('body').press('j')
  await page.keyboard.press('3')
  await page.reload()
  assert.is(await page.locator('#REST_NIGHT_POOR .tick-box >> nth=0').isChecked(), true)
  assert.is(await page.locator('.cell button, .draft, .tools, #show [value=commented]').count(), 0)
})

onPage('moves between examples and between sentences by keys, below the filters', {}, async (page) => {
  const focused = () => page.evaluate<string>('document.activeElement.id')
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
    return focused()
  }
  assert.is(await press('j'), 'e1')
  assert.is(await press('j', 'j'), 'e3')
  assert.is(await press('k'), 'e2')
  const second = await page.locator('.scenario:nth-of-type(2) .example').first().getAttribute('id')
  assert.is(await press('n'), second)
  assert.is(await press('p'), 'e1')
  assert.is(await press('k'), 'e1')
  for (let index = 0; index < 4; index++) await press('j')
  const [bar, top] = await page.evaluate<[number, number]>(
    `[document.querySelector('.filters').getBoundingClientRect().bottom, document.activeElement.getBoundingClientRect().top]`,
  )
  assert.ok(top >= bar && top < bar + 40, `${top} below ${bar}`)
  assert.is(await press('/'), 'q')
  await page.keyboard.type('jk')
  assert.is(await page.inputValue('#q'), 'jk')
  await page.fill('#q', '')
  await press('Escape')
  await page.click('summary:has-text("How to use")')
  await page.uncheck('#keys')
  await page.locator('body').press('j')
  assert.is(await focused(), 'keys')
})

onPage('passes axe in light and dark colors, with changes', {}, async (page) => {
  await page.fill('#q', 'night rated')
  await page.click('summary:has-text("How to use")')
  await page.click('summary:has-text("as they are written")')
  await page.click('#REST_NIGHT_POOR summary >> nth=0')
  assert.equal(await findViolations(page, strictRules), [], 'light')
  await page.emulateMedia({ colorScheme: 'dark' })
  assert.equal(await findViolations(page, colorRules), [], 'dark')
})

onPage('fits screens 390 and 320 wide', { viewport: { width: 390, height: 800 }, hasTouch: true }, async (page) => {
  await page.click('summary:has-text("How to use")')
  await page.click('#REST_NIGHT_POOR summary >> nth=0')
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 800 })
    assert.is(await page.evaluate('document.documentElement.scrollWidth'), width)
    const box = await page.locator('#REST_NIGHT_POOR .words >> nth=1').boundingBox()
    assert.ok(box !== null && box.width > width * 0.85)
  }
})

onPage('prints the three languages side by side, in black on white, without controls', {}, async (page) => {
  await page.fill('#q', 'REST_NIGHT_POOR')
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  assert.is(await page.locator('.filters').isVisible(), false)
  assert.is(await page.locator('.tick >> nth=0').isVisible(), false)
  const boxes = await Promise.all(
    [0, 1, 2].map((column) => page.locator(`#REST_NIGHT_POOR .text >> nth=${column}`).boundingBox()),
  )
  assert.is(new Set(boxes.map((box) => box?.y)).size, 1)
  const colors = await page.evaluate<string[]>(
    `['color', 'backgroundColor'].map((name) => getComputedStyle(document.body)[name])`,
  )
  assert.equal(colors, ['rgb(27, 28, 31)', 'rgb(252, 252, 250)'])
  await page.evaluate(`dispatchEvent(new Event('beforeprint'))`)
  const facts = page.locator('#REST_NIGHT_POOR .about details > :not(summary)').first()
  assert.ok(await facts.isVisible())
  // Lines hold words, not single letters.
  const [lines, count] = [(await facts.boundingBox())?.height ?? 0, await facts.locator('dd').count()]
  assert.ok(lines < count * 40, `${count} facts are ${lines} pixels high`)
  await page.evaluate(`dispatchEvent(new Event('afterprint'))`)
  assert.is(await page.locator('#REST_NIGHT_POOR .about details[open]').count(), 0)
  const pdf = await page.pdf({ preferCSSPageSize: true })
  assert.ok(pdf.length > 1000)
})

pages.run()
