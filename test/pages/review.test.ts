import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parseCommentFile } from '../../src/copydesk/comment-file.js'
import { renderReviewPage } from '../../src/copydesk/page/page.js'
import type { Review } from '../../src/copydesk/page/review.js'
import { noChromium, openChromium } from '../helpers/chromium.js'
import { findViolations, strictRules } from '../helpers/page-faults.js'
import { examplesOf, reviewChanged } from '../helpers/review.js'
import { reportSkip } from '../helpers/skip.js'
import { openTemporaryFolder } from '../helpers/temporary.js'

const place = openTemporaryFolder()
const review = reviewChanged([
  ['STREAK_NIGHTS', 'en-US', 'nights in a row', 'nights running'],
  ['BARK_TODAY', 'es', 'hoy', 'en el día'],
])
const total = examplesOf(review).length
/** Enough for most tests: a browser needs two seconds for each load of the whole page. */
const shortIds = /^(REST_NIGHT_(FAIR|POOR)|BARK_(TODAY|DAY_ACTIVE|DAY_FREQUENT|PERIOD_UNUSUAL_DAYS))$/
const short = { ...review, scenarios: review.scenarios.filter(({ id }) => shortIds.test(id)) }
const wholePage = writePage('whole.html', review)
const shortPage = writePage('short.html', short)

const pages = suite<{ browser: Browser | undefined }>('review page in Chromium')
pages.before(async (context) => {
  context.browser = await openChromium()
})
pages.after(async ({ browser }) => {
  await browser?.close()
  place.close()
})

function writePage(name: string, content: Review): string {
  return pathToFileURL(place.write(name, renderReviewPage(content, '2026-10-14'))).href
}

interface Options extends BrowserContextOptions {
  readonly address?: string
}

/** Defines a test in an offline browser context that fails on any error or request of the page. */
function inBrowser(
  title: string,
  test: (page: Page, context: BrowserContext) => Promise<void>,
  { address = shortPage, ...options }: Options = {},
): void {
  pages(title, async ({ browser }) => {
    if (browser === undefined) return reportSkip(`${title}: ${noChromium}`)
    const context = await browser.newContext({ offline: true, viewport: { width: 1440, height: 900 }, ...options })
    const faults: string[] = []
    context.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
    context.on('request', (request) => !/^(file|blob):/.test(request.url()) && faults.push(request.url()))
    try {
      const page = await context.newPage()
      page.on('pageerror', (error) => faults.push(error.message))
      await page.goto(address)
      await test(page, context)
      assert.equal(faults, [])
    } finally {
      await context.close()
    }
  })
}

const shown = (page: Page) => page.locator('#shown').textContent()
const visible = (page: Page) => page.locator('.example:visible').count()
const textOf = async (page: Page, selector: string) => (await page.locator(selector).textContent()) ?? ''
const told = (page: Page) => textOf(page, '#told')

inBrowser(
  'shows everything from disk without a network, filters it, counts each option, and keeps the choice in the address',
  async (page) => {
    assert.is(await shown(page), `${total} of ${total}`)
    assert.is(await visible(page), total)
    await page.selectOption('#metric', 'bark')
    await page.selectOption('#status', 'attention')
    const expected = examplesOf(review).filter(
      ({ metric, status }) => metric === 'bark' && status === 'attention',
    ).length
    assert.is(await visible(page), expected)
    assert.is(await page.locator('#metric option:checked').textContent(), `Barking (${expected})`)
    assert.is(await page.locator('.scenario:visible').count(), 3)
    assert.match(page.url(), '#metric=bark&status=attention')
    await page.reload()
    assert.is(await visible(page), expected)
    await page.click('.filters [data-action=clear]')
    assert.is(await visible(page), total)
  },
  { address: wholePage },
)

inBrowser('shows only texts that changed since sign-off, or whose English did', async (page) => {
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

inBrowser('links a changed answer to its example, also if the filters hide it', async (page) => {
  assert.match(await textOf(page, '.answers summary'), /^\d+ samples say something different from the sign-off$/)
  const link = page.locator('.answer a', { hasText: 'Barking, 14 October 2026' }).first()
  await page.selectOption('#metric', 'rest')
  await link.click()
  const target = await link.getAttribute('href')
  await page.locator(`${target}:visible`).waitFor()
  assert.is(await page.locator(`${target} h3`).textContent(), await link.textContent())
  const top = (await page.locator(target ?? '').boundingBox())?.y ?? -1
  assert.ok(top >= 0 && top < 900, `${top}`)
})

const searches: readonly (readonly [words: string, scenario: string])[] = [
  ['durmio MAL', 'REST_NIGHT_POOR'],
  ['睡得不太好', 'REST_NIGHT_POOR'],
  ['slept poorly', 'REST_NIGHT_POOR'],
  ['rest_night_poor', 'REST_NIGHT_POOR'],
  ['rated poor', 'REST_NIGHT_POOR'],
]
inBrowser(
  'finds words of any language, an ID or a condition, ignoring accents and case',
  async (page) => {
    for (const [words, scenario] of searches) {
      await page.fill('#q', words)
      assert.is(await page.locator(`#${scenario}`).isVisible(), true, words)
      assert.is(await page.locator('.scenario:visible').count(), 1, words)
    }
    await page.fill('#q', 'no such words')
    await page.click('#nothing button')
    assert.is(await visible(page), total)
  },
  { address: wholePage },
)

const hostile = '<img src=x onerror=alert(1)> “so-so”?\nSecond line'

/** Comments on the Spanish text of the usual case of REST_NIGHT_POOR with the keyboard only. */
async function comment(page: Page): Promise<void> {
  await page.fill('#by', 'Rex')
  await page.fill('#q', 'REST_NIGHT_POOR')
  await page.keyboard.press('Escape')
  await page.keyboard.press('j')
  await page.keyboard.press('3')
  await page.keyboard.insertText(hostile)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
}

inBrowser('keeps a comment across a reload, as text and never as markup', async (page) => {
  await comment(page)
  assert.match(await told(page), 'Comment kept')
  for (const step of ['written', 'reloaded']) {
    if (step === 'reloaded') await page.reload()
    assert.is(await page.locator('.note .comment').textContent(), hostile, step)
    assert.is(await page.locator('.note img').count(), 0)
    assert.is(await page.locator('#comments').textContent(), '(1)')
  }
  await page.selectOption('#show', 'commented')
  assert.is(await visible(page), 1)
  await page.click('.note >> text=Edit')
  await page.fill('.draft textarea', 'Better.')
  await page.click('.draft >> text=Keep')
  assert.is(await page.locator('.note .comment').textContent(), 'Better.')
  await page.click('.note >> text=Delete')
  assert.is(await page.locator('.note').count(), 0)
  await page.click('#told >> text=Undo')
  assert.is(await page.locator('.note').count(), 1)
})

inBrowser('allows a comment on a part of the text, and adds a name that is entered last', async (page) => {
  await page.fill('#q', 'REST_NIGHT_POOR')
  await page.click('#REST_NIGHT_POOR [data-locale="en-US"] button >> nth=0')
  await page.selectOption('.draft select', 'STREAK_NIGHTS')
  await page.fill('.draft textarea', 'Say how many.')
  await page.click('.draft >> text=Keep')
  assert.match(await textOf(page, '.note .by'), '“, already 2 nights running”')
  await page.fill('#by', 'Ann')
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('[data-action=save]')])
  const saved = parseCommentFile(readFileSync(await download.path(), 'utf8'))
  assert.is(typeof saved === 'string' ? saved : saved.comments[0]?.by, 'Ann')
})

inBrowser('saves comments to a file and reads them again in another browser', async (page, context) => {
  await comment(page)
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('[data-action=save]')])
  assert.match(download.suggestedFilename(), /^comments-\d{4}-\d\d-\d\d\.json$/)
  const path = `${place.folder}/comments.json`
  await download.saveAs(path)
  const saved = parseCommentFile(readFileSync(path, 'utf8'))
  assert.type(saved, 'object')
  const [one] = typeof saved === 'string' ? [] : saved.comments
  assert.equal([one?.textId, one?.locale, one?.by, one?.comment], ['REST_NIGHT_POOR', 'es', 'Rex', hostile])
  assert.match(String(one?.said), 'Anoche, Biscuit')

  await page.evaluate('localStorage.clear()')
  await page.reload()
  assert.is(await page.locator('.note').count(), 0)
  await page.setInputFiles('#file', path)
  await page.waitForSelector('.note')
  assert.is(await told(page), '1 comment added.')
  await page.setInputFiles('#file', path)
  await page.locator('#told', { hasText: '0 comments added, 1 was here already.' }).waitFor()
  await page.setInputFiles('#file', place.write('other.json', '{"a":1}'))
  await page.locator('#told', { hasText: 'This is not a file of comments' }).waitFor()

  const other = await context.newPage()
  await other.goto(shortPage)
  assert.is(await other.locator('.note').count(), 1)
})

inBrowser('shows a comment on a missing text, and marks a comment whose text was different', async (page) => {
  const old = {
    id: 'b',
    locale: 'es',
    textId: 'X',
    said: 'Antes.',
    pattern: 'x',
    comment: 'Old.',
    by: '',
    at: '2026-10-14',
  }
  const comments = [
    { ...old, example: 'GONE' },
    { ...old, id: 'c', example: 'REST_NIGHT_POOR' },
  ]
  const content = JSON.stringify({ format: 'svc-insight-comments-1', ruleVersion: '', comments })
  await page.setInputFiles('#file', place.write('old.json', content))
  await page.waitForSelector('#orphans .note')
  assert.match(await textOf(page, '#orphans .note'), /Antes\.Old\./)
  assert.match(await textOf(page, '#REST_NIGHT_POOR .note'), /The text was different then:Antes\./)
})

inBrowser('warns before it loses comments that the browser does not keep', async (page, context) => {
  await context.addInitScript('Storage.prototype.setItem = () => { throw new Error("full") }')
  await page.reload()
  await comment(page)
  assert.match(await told(page), 'does not keep comments')
  const closes = async () => {
    const dialog = page.waitForEvent('dialog', { timeout: 2000 }).catch(() => undefined)
    await page.close({ runBeforeUnload: true })
    const asked = await dialog
    await asked?.dismiss()
    return asked === undefined
  }
  assert.is(await closes(), false)
  await Promise.all([page.waitForEvent('download'), page.click('[data-action=save]')])
  assert.is(await closes(), true)
})

inBrowser('moves between examples and between sentences by keys, below the filters', async (page) => {
  const focused = () => page.evaluate<string>('document.activeElement.id')
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
    return focused()
  }
  assert.is(await press('j'), 'e1')
  assert.is(await press('j', 'j'), 'e3')
  assert.is(await press('k'), 'e2')
  const second = await page.locator('.scenario:nth-of-type(3) .example').first().getAttribute('id')
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

inBrowser('passes axe in light and dark colours, with changes, comments and a draft', async (page) => {
  await comment(page)
  await page.fill('#q', 'night rated')
  await page.click('summary:has-text("How to use")')
  await page.click('summary:has-text("as they are written")')
  await page.click('#REST_NIGHT_POOR summary >> nth=0')
  await page.click('#REST_NIGHT_POOR [data-locale="en-US"] button >> nth=0')
  // axe skips hidden examples, but needs seconds to find out that they are hidden.
  await page.evaluate(`for (const example of document.querySelectorAll('.example[hidden]')) example.remove()`)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    assert.equal(await findViolations(page, strictRules), [], colorScheme)
  }
})

inBrowser(
  'fits a screen 390 and 320 pixels wide',
  async (page) => {
    await comment(page)
    await page.click('summary:has-text("How to use")')
    await page.click('#REST_NIGHT_POOR summary >> nth=0')
    await page.click('#REST_NIGHT_POOR [data-locale="zh-CN"] button >> nth=0')
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 800 })
      assert.is(await page.evaluate('document.documentElement.scrollWidth'), width)
      const box = await page.locator('#REST_NIGHT_POOR .words >> nth=1').boundingBox()
      assert.ok(box !== null && box.width > width * 0.85)
    }
  },
  { address: wholePage, viewport: { width: 390, height: 800 }, hasTouch: true },
)

inBrowser('prints the three languages side by side, in black on white, without controls', async (page) => {
  await page.fill('#q', 'REST_NIGHT_POOR')
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  assert.is(await page.locator('.filters').isVisible(), false)
  assert.is(await page.locator('.cell button >> nth=0').isVisible(), false)
  const boxes = await Promise.all(
    [0, 1, 2].map((column) => page.locator(`#REST_NIGHT_POOR .text >> nth=${column}`).boundingBox()),
  )
  assert.is(new Set(boxes.map((box) => box?.y)).size, 1)
  const colours = await page.evaluate<string[]>(
    `['color', 'backgroundColor'].map((name) => getComputedStyle(document.body)[name])`,
  )
  assert.equal(colours, ['rgb(27, 28, 31)', 'rgb(252, 252, 250)'])
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
