// run: takes 30 s
import { rmSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import type { Locator, Page, Route } from 'playwright-core'
import * as assert from 'uvu/assert'
import { parseCommentFile } from '../../src/copydesk/comment-file.js'
import { closeShared, describeBrowser, openShared } from '../helpers/browser-suite.js'
import { copyDesk } from '../helpers/desk.js'
import { colorRules, findViolations, strictRules } from '../helpers/page-faults.js'
import { openTemporaryFolder } from '../helpers/temporary.js'

const place = openTemporaryFolder()
const desk = copyDesk(place.folder)
const rest = 'catalog/insight/rest.json'
const poor = '#REST_NIGHT_POOR .example >> nth=0'
/** The filter of most tests, whose page has this scenario alone. */
const onlyPoor = '#q=REST_NIGHT_POOR&examples=all'
const poorAlone = ['REST_NIGHT_POOR']

const { described: served, inBrowser } = describeBrowser('served review page')
let url = ''
served.before(async () => {
  url = await desk.start()
})
served.after(async () => {
  await desk.end('SIGKILL')
  place.close()
})

interface Options {
  readonly filter?: string
  /** The scenarios that the page has. */
  readonly scenarios?: readonly string[] | 'all'
  readonly isPhone?: boolean
}

/** Defines a test of the page, which fails on any error of the page and any foreign request. */
function onPage(
  title: string,
  test: (page: Page) => Promise<void>,
  { filter = onlyPoor, scenarios = poorAlone, isPhone = false }: Options = {},
): void {
  inBrowser(title, async (_, browser) => {
    const page = isPhone
      ? await browser.newPage({ viewport: { width: 390, height: 844 }, hasTouch: true })
      : await openShared(browser, { width: 1280, height: 800 })
    // On a busy machine, the page of a changed catalog takes its time.
    page.setDefaultTimeout(60_000)
    const faults: string[] = []
    page.on('request', (one) => {
      if (!one.url().startsWith('blob:') && !one.url().startsWith(new URL(url).origin)) faults.push(one.url())
    })
    page.on('pageerror', (error) => faults.push(error.message))
    await page.addInitScript(keepMessages)
    if (scenarios !== 'all') await page.route(isPage, (route) => cutScenarios(route, scenarios))
    await page.goto(url + filter)
    await test(page)
    assert.equal(faults, [])
    await closeShared(page)
  })
}

/** A message goes after 8 s, in which a busy machine may not have looked. */
const keepMessages = `
  const start = setTimeout
  window.setTimeout = (act, ms, ...more) => (ms === 8000 ? 0 : start(act, ms, ...more))
`

const isPage = ({ pathname }: URL) => /^\/[^/]+\/$/.test(pathname)

async function cutScenarios(route: Route, kept: readonly string[]): Promise<void> {
  const others = new RegExp(`<section class="scenario" id="(?!(${kept.join('|')})").*?</section>`, 'gs')
  // The desk may close a connection that the browser is about to use again, and takes its time on a busy machine.
  const response = await route.fetch({ maxRetries: 3, timeout: 60_000 })
  await route.fulfill({ response, body: (await response.text()).replaceAll(others, '') })
}

const isKept = (page: Page) => page.locator('#kept', { hasText: 'All changes saved' }).waitFor()
const textOf = async (place: Locator) => (await place.textContent()) ?? ''
const told = (page: Page, text: string) =>
  page
    .locator('#told', { hasText: text })
    .waitFor()
    .catch(async (error: Error) => {
      const said = await page.locator('#told, #kept, .editor .finding').allTextContents()
      throw new Error(`${error.message}\nThe page says: ${said.join('; ')}`)
    })
const cell = (page: Page, locale: string) => page.locator(`${poor} >> [data-locale="${locale}"]`)
const press = (page: Page, locale: string, name: string) =>
  cell(page, locale).locator('.cell button', { hasText: name }).click()

/** Opens the editor of a text and returns its first field. */
async function openEditor(page: Page, locale = 'en-US', name = 'Edit') {
  await press(page, locale, name)
  const field = page.locator('.editor .runs textarea').first()
  await field.waitFor()
  return field
}

/** Sends a request to the desk with headers that a browser would not send. */
async function send(path: string, method: string, headers: Record<string, string> = {}, body = '[]'): Promise<number> {
  const sent = request(new URL(path, url), { method, headers })
  sent.end(method === 'POST' ? body : undefined)
  return new Promise((resolve, reject) => {
    sent.on('error', reject).on('response', (response) => resolve(response.resume().statusCode ?? 0))
  })
}

const json = { 'content-type': 'application/json' }
const refusals: readonly (readonly [title: string, send: () => Promise<number>, status: number])[] = [
  ['an address without the key', () => send('/', 'GET'), 404],
  ['an address with another key', () => send('/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA/', 'GET'), 404],
  ['another name of this machine', () => send('', 'GET', { host: 'pets.example' }), 403],
  ['a change that is not a POST', () => send('change', 'GET'), 405],
  ['a change from another origin', () => send('change', 'POST', { ...json, origin: 'http://pets.example' }), 403],
  ['a change from another site', () => send('change', 'POST', { ...json, 'sec-fetch-site': 'cross-site' }), 403],
  ['a form', () => send('change', 'POST', { 'content-type': 'text/plain' }), 422],
  ['a body that is not a list', () => send('change', 'POST', json, '{"kind":"draft"}'), 422],
  ['a body over 1 MiB', () => send('change', 'POST', json, `["${'x'.repeat(1 << 20)}"]`), 413],
  ['an unknown action', () => send('constructor', 'POST', json), 404],
]
for (const [title, run, status] of refusals) {
  served(`refuses ${title}`, async () => assert.is(await run(), status))
}

served('accepts a change of the page', async () => {
  const own = { ...json, origin: new URL(url).origin, 'sec-fetch-site': 'same-origin' }
  assert.is(await send('change', 'POST', own), 200)
})

onPage('keeps ticks and the chosen language over a reload, and counts the texts that were read', async (page) => {
  await page.selectOption('#languages', 'zh-CN')
  assert.is(await cell(page, 'es').isVisible(), false)
  await cell(page, 'zh-CN').locator('input').check()
  await page.locator('body').press('j')
  await page.keyboard.press('x')
  await isKept(page)
  for (const step of ['ticked', 'reloaded']) {
    if (step === 'reloaded') await page.reload()
    assert.match(await page.locator('#read-count').innerText(), /^2 of \d+ read$/, step)
    const examples = await page.locator('#REST_NIGHT_POOR .example').count()
    assert.is(await page.locator('.contents [data-scenario=REST_NIGHT_POOR] .count').textContent(), `2/${examples}`)
    assert.is(await cell(page, 'zh-CN').locator('input').isChecked(), true)
  }
  const read = await page.locator(poor).getAttribute('id')
  await page.selectOption('#show', 'unread')
  assert.is(await page.locator(`#${read}`).count(), 0)
  await page.selectOption('#languages', '')
  await isKept(page)
})

const hostile = '<img src=x onerror=alert(1)> “so-so”?'

onPage('keeps an unfinished comment over a reload', async (page) => {
  await press(page, 'es', 'Comment')
  await page.locator('.draft textarea').fill(hostile)
  await isKept(page)
  await page.reload()
  assert.is(await page.locator('.draft textarea').inputValue(), hostile)
  await page.fill('#by', '<b>Ann</b>')
  await page.locator('.draft >> text=Save').click()
  await isKept(page)
  const saved = parseCommentFile(desk.read('desk/comments.json'))
  const [one] = typeof saved === 'string' ? [] : saved.comments
  assert.equal([one?.comment, one?.textId, one?.locale, one?.by], [hostile, 'REST_NIGHT_POOR', 'es', '<b>Ann</b>'])
  assert.match(desk.insight('comments', 'desk/comments.json').stdout, hostile)
  await page.reload()
  assert.is(await page.locator('.note .comment').textContent(), hostile)
  assert.is(await page.locator('.note img, .note b').count(), 0)
  assert.is(await page.locator('.draft').count(), 0)
})

onPage('keeps what is typed after a comment that is too long, and says what is not kept', async (page) => {
  await press(page, 'en-US', 'Comment')
  const words = page.locator('.draft textarea')
  await words.fill('x'.repeat(19_000))
  await page.locator('.draft .length', { hasText: '19,000 of 20,000 characters' }).waitFor()
  await words.fill('y'.repeat(20_002))
  await page.locator('.draft .length.finding', { hasText: 'shorten it by 2 to keep it' }).waitFor()
  await page.locator('.draft .primary').click()
  assert.is(await words.inputValue(), 'y'.repeat(20_002))
  await isKept(page)
  await words.fill('z'.repeat(160_000))
  await page.locator('#kept.problem', { hasText: 'Not saved yet: The unfinished comment has 160,' }).waitFor()
  await press(page, 'es', 'Comment')
  const later = cell(page, 'es').locator('.draft textarea')
  await later.fill('Typed later.')
  await Promise.all([
    page.waitForResponse((one) => one.request().postData()?.includes('"kind":"comment"') === true),
    cell(page, 'es').locator('.draft .primary').click(),
  ])
  assert.match(desk.read('desk/comments.json'), 'Typed later.')
  assert.match(await textOf(page.locator('#kept')), 'Not saved yet')
  await page.reload()
  assert.is((await cell(page, 'en-US').locator('.draft textarea').inputValue()).length, 160_000)
  await cell(page, 'en-US').locator('.draft >> text=Cancel').click()
  await isKept(page)
})

onPage('shows 2,000 comments at once, and names them with few writes to the browser', async (page) => {
  const before = desk.read('desk/comments.json')
  const file = JSON.parse(before)
  const [first] = file.comments
  const many = Array.from({ length: 2000 }, (_, index) => ({ ...first, id: `many-${index}`, by: '' }))
  desk.change('desk/comments.json', before, JSON.stringify({ ...file, comments: [...file.comments, ...many] }))
  await page.addInitScript(
    'window.writes = 0; const { setItem } = Storage.prototype; Storage.prototype.setItem = function (...all) { writes++; setItem.apply(this, all) }',
  )
  await page.reload()
  assert.is(await page.locator('.note').count(), file.comments.length + 2000)
  await page.fill('#by', 'Ann')
  await page.locator('#by').press('Tab')
  await isKept(page)
  assert.ok(Number(await page.evaluate('writes')) < 40)
  const unnamed = JSON.parse(desk.read('desk/comments.json')).comments.filter(({ by }: { by: string }) => by === '')
  assert.equal(unnamed, [])
  desk.change('desk/comments.json', desk.read('desk/comments.json'), before)
})

onPage('previews an edit in every example, shows errors at the field, and writes only on request', async (page) => {
  const before = desk.read(rest)
  const field = await openEditor(page)
  await field.fill((await field.inputValue()).replace('poorly', 'badly').replace('{streak}', '{streek}'))
  await page.locator('.finding', { hasText: '{streek} is not known here' }).waitFor()
  assert.is(await field.getAttribute('aria-invalid'), 'true')
  assert.is(await page.locator('.editor .primary').isDisabled(), true)
  await field.fill((await field.inputValue()).replace('{streek}', ' {streak}'))
  await page.locator('.finding.warning', { hasText: 'The check will report' }).waitFor()
  await field.fill((await field.inputValue()).replace(' {streak}', '{streak}'))
  await page.locator('.preview h4', { hasText: '17 of 17 examples change' }).waitFor()
  assert.match(await textOf(page.locator('.preview .changes').first()), /removed: poorly\s+added: badly/)
  assert.is(desk.read(rest), before)
  await page.reload()
  await openEditor(page, 'en-US', 'Continue the draft')
  await page.locator('.editor .primary:not(:disabled)', { hasText: 'Save English to the catalog' }).click()
  await told(page, 'Saved to catalog/insight/rest.json.')
  assert.is(desk.read(rest), before.replace('{fact}slept poorly{reasons}', '{fact}slept badly{reasons}'))
  assert.match(await textOf(cell(page, 'en-US').locator('.changes').first()), /added: badly/)
})

onPage('marks and focuses the field of the chosen use, if a sentence uses a part twice', async (page) => {
  const example = page.locator('.example', { hasText: 'REST_NIGHT_POOR.two-reasons.json' }).first()
  await example.locator('[data-locale="en-US"] .cell button', { hasText: 'Edit' }).click()
  const parts = example.locator('.editor select')
  const reasons = await parts.locator('option', { hasText: /^“(rest|there) / }).all()
  assert.is(reasons.length, 2)
  const labels = new Set<string>()
  for (const reason of reasons) {
    await parts.selectOption((await reason.getAttribute('value')) ?? '')
    const label = example.locator('.runs label:focus-within', { hasText: '(this example)' })
    await label.waitFor()
    const words = await label.locator('textarea').inputValue()
    assert.ok((await textOf(reason)).includes(words), words)
    labels.add((await label.innerText()).split('\n')[0] ?? '')
  }
  assert.is(labels.size, 2)
  for (const label of labels) assert.match(label, /^[A-Z][a-z -]+, compared with its own days \(this example\)/)
})

/** Selects words of a text. */
async function selectWords(page: Page, locale: string, words: string): Promise<void> {
  const text = `document.querySelector('#REST_NIGHT_POOR .example [data-locale="${locale}"] .words').firstChild`
  const start = `${text}.data.indexOf('${words}')`
  await page.evaluate(`getSelection().setBaseAndExtent(${text}, ${start}, ${text}, ${start} + ${words.length})`)
}

onPage('quotes the words that were selected before a comment, and chooses their part', async (page) => {
  await selectWords(page, 'en-US', 'nights in a row')
  await press(page, 'en-US', 'Comment')
  const words = page.locator('.draft textarea')
  assert.is(await words.inputValue(), '“nights in a row” ')
  assert.match(await textOf(page.locator('.draft option:checked')), /^“.*nights in a row”$/)
  await page.locator('.draft >> text=Cancel').click()
  await selectWords(page, 'en-US', 'slept')
  await press(page, 'es', 'Comment')
  assert.is(await words.inputValue(), '')
  await page.locator('.draft >> text=Cancel').click()
})

/** Chooses the part of a sentence about waking in the editor. */
async function chooseWakes(page: Page): Promise<void> {
  const option = page.locator('.editor option', { hasText: /^“.*(wake|woke)/ }).last()
  await page.selectOption('.editor select', (await option.getAttribute('value')) ?? '')
}

onPage('edits each case of a text in a field of its own', async (page) => {
  await press(page, 'en-US', 'Edit')
  await chooseWakes(page)
  // The focus is on the words of the example.
  await page.locator('.editor label:focus-within', { hasText: /^(The|Another) number.* \(this example\)/ }).waitFor()
  const once = page.getByLabel('The number 1')
  assert.is(await once.inputValue(), ', woke once,')
  await once.fill(", didn't wake twice,")
  await page.locator('.preview h4', { hasText: 'examples change' }).waitFor()
  await page.click('text=The whole text, with its braces')
  assert.match(await page.getByLabel('Whole text').inputValue(), "one {, didn''t wake twice,}")
  await page.locator('.editor button', { hasText: 'Discard the draft' }).click()
  await told(page, 'The draft was discarded.')
  assert.match(desk.read(rest), ', woke once,')
})

onPage('shows the part that was chosen last, even if another one is answered later', async (page) => {
  let release = () => {}
  const isReleased = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/open', (route) => isReleased.then(() => route.continue()), { times: 1 })
  await Promise.all([page.waitForRequest('**/open'), press(page, 'en-US', 'Edit')])
  await chooseWakes(page)
  await page.getByLabel('The number 1').waitFor()
  const [answer] = await Promise.all([page.waitForResponse('**/open'), release()])
  await answer.finished()
  // A frame after the answer, the page has used it.
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))')
  assert.is(await page.locator('.editor .runs').count(), 1)
  assert.is(await page.getByLabel('The number 1').count(), 1)
})

onPage('does not overwrite a change of another program, and keeps the draft', async (page) => {
  const field = await openEditor(page, 'es')
  await field.fill((await field.inputValue()).replace('durmió mal', 'durmió peor'))
  await page.locator('.editor .primary:not(:disabled)').waitFor()
  desk.change(rest, 'durmió mal', 'durmió fatal')
  await page.click('.editor .primary')
  await page.locator('.finding', { hasText: 'was changed by another process in the meantime' }).waitFor()
  assert.match(desk.read(rest), 'durmió fatal')
  await page.reload()
  const again = await openEditor(page, 'es', 'Continue the draft')
  assert.match(await again.inputValue(), 'durmió peor')
  desk.change(rest, 'durmió fatal', 'durmió mal')
  await page.locator('.editor button', { hasText: 'Discard the draft' }).click()
  await told(page, 'The draft was discarded.')
})

onPage('loses nothing that is typed while the program is killed', async (page) => {
  const field = await openEditor(page, 'zh-CN')
  await field.fill((await field.inputValue()).replace('睡得不太好', '睡得很不好'))
  await isKept(page)
  const port = new URL(url).port
  await desk.end('SIGKILL')
  await cell(page, 'zh-CN').locator('input').uncheck()
  await press(page, 'zh-CN', 'Comment')
  await page.locator('.draft textarea').fill('Typed after the end.')
  await page.locator('#kept.problem', { hasText: 'insight review --serve' }).waitFor()
  url = await desk.start()
  assert.is(new URL(url).port, port)
  await page.goto(url + onlyPoor)
  await isKept(page)
  assert.is(await page.locator('.draft textarea').inputValue(), 'Typed after the end.')
  assert.is(await cell(page, 'zh-CN').locator('input').isChecked(), false)
  assert.match(desk.read('desk/notes.json'), 'Typed after the end.')
  const resumed = await openEditor(page, 'zh-CN', 'Continue the draft')
  assert.match(await resumed.inputValue(), '睡得很不好')
  await page.locator('.editor button', { hasText: 'Discard the draft' }).click()
  await told(page, 'The draft was discarded.')
})

onPage('approves in whole sentences with the keyboard, as svc insight sign does', async (page) => {
  await page.fill('#by', 'Ann Lee')
  await page.focus('[data-action=approve].primary')
  await page.keyboard.press('Enter')
  const item = page.locator('.item', { hasText: 'English: changed' }).first()
  await item.waitFor()
  // The name is known already.
  assert.is(await page.locator('#approval [name=by]').isVisible(), false)
  assert.is(await textOf(page.locator('#sign')), 'Approve as Ann Lee')
  const folded = Number(/^\d+/.exec(await textOf(item.locator('summary')))?.[0])
  assert.is(await item.locator('.changes').count(), 3 + folded)
  assert.is(await item.locator('.changes:visible').count(), 3)
  // Those whose text is as it was are for their own readers.
  await page.locator('#signable .warning', { hasText: /still needs? a reader: Chinese \(1 text\)/ }).waitFor()
  const tickOthers = async () => {
    for (const locale of ['zh-CN', 'es']) {
      assert.not.ok(await page.isChecked(`#approval [value="${locale}"]`))
      await page.check(`#approval [value="${locale}"]`)
    }
  }
  await tickOthers()
  await page.locator('#signable .warning').waitFor({ state: 'detached' })
  await item.waitFor()
  assert.match(await textOf(item), /slept\s+removed: poorly\s+added: badly/)
  assert.match(await textOf(page.locator('.item').first()), /English: changed/)
  assert.not.match(await page.locator('#signable').innerText(), /[{}]/)
  desk.change(rest, 'slept badly', 'slept ill')
  await page.locator('#sign').press('Enter')
  await page.locator('#refused', { hasText: 'so nothing was approved' }).waitFor()
  await page.keyboard.press('Escape')
  await page.click('[data-action=approve]')
  await page.locator('#signable .warning').waitFor()
  await tickOthers()
  await page.locator('#signable .warning').waitFor({ state: 'detached' })
  await page.locator('.item', { hasText: 'added: ill' }).first().waitFor()
  await page.click('#sign')
  await told(page, 'Approved as Ann Lee')
  const entry = JSON.parse(desk.read('catalog/insight/signoff.json')).texts.REST_NIGHT_POOR['en-US']
  assert.equal([entry.by, entry.text.includes('slept ill')], ['Ann Lee', true])
  const signs = page.locator(`${poor} >> .sign`)
  assert.equal(await signs.allTextContents(), Array(3).fill('Edited, no native approval yet'))
  await page.click('[data-action=approve]')
  await page.check('#approval [name=isNative]')
  await page.locator('.item h3', { hasText: 'no native approval yet' }).first().waitFor()
  await page.click('#sign')
  // The page that is loaded after it.
  await signs.filter({ hasText: 'Signed off by Ann Lee' }).nth(2).waitFor()
  for (const sign of await signs.allTextContents()) assert.match(sign, /^Signed off by Ann Lee on .*, this version$/)
  const { status, stdout } = desk.insight('check')
  assert.is(status, 0, stdout)
})

onPage(
  'passes axe in light and dark colors, with an editor, a comment and the approval',
  async (page) => {
    await page.fill('#q', 'night rated')
    const field = await openEditor(page)
    await field.fill(`${await field.inputValue()} {x}`)
    await page.locator('.finding').first().waitFor()
    await press(page, 'es', 'Comment')
    const check = async (within?: readonly string[]) => {
      for (const [colorScheme, rules] of [
        ['light', strictRules],
        ['dark', colorRules],
      ] as const) {
        await page.emulateMedia({ colorScheme })
        assert.equal(await findViolations(page, rules, within), [], colorScheme)
      }
    }
    await check()
    await page.click('[data-action=approve]')
    await page.locator('#signable', { hasText: 'Nothing to approve' }).waitFor()
    // A modal dialog makes the rest of the page inert.
    await check(['#approval'])
    await page.keyboard.press('Escape')
    await page.locator('.editor button', { hasText: 'Discard the draft' }).click()
    await told(page, 'The draft was discarded.')
  },
  { scenarios: ['REST_NIGHT_FAIR', 'REST_NIGHT_POOR'], filter: '' },
)

onPage(
  'fits a phone: contents folded, fields as wide as the screen; tells the story of one pet on request',
  async (page) => {
    assert.is(await page.locator('.contents ol').isVisible(), false)
    await page.click('.contents summary')
    await page.click('.contents [data-scenario=REST_NIGHT_POOR]')
    assert.is(await page.locator('.contents ol').isVisible(), false)
    const field = await openEditor(page)
    assert.ok(((await field.boundingBox())?.width ?? 0) > 300)
    assert.is(await page.evaluate('document.documentElement.scrollWidth'), 390)

    assert.is(await page.locator('#story-texts article').count(), 0)
    await page.click('#story summary')
    await page.fill('#story [name=days]', '9')
    await page.selectOption('#story [name=locale]', 'es')
    await page.selectOption('#story [name=metric]', 'rest')
    await page.click('#story [type=submit]')
    await page.locator('#story-told', { hasText: '11 texts, ' }).waitFor()
    const texts = await page.locator('#story-texts article').allTextContents()
    assert.match(texts[0] ?? '', /^RestAnoche, Luna descansó/)
    assert.match(texts.at(-1) ?? '', /^Rest, weekEsa semana, Luna descansó/)
    assert.ok(texts.some((text) => /said \d times/.test(text)))
    assert.is(await page.locator('#story-texts h2').count(), 9)
    assert.equal(await findViolations(page, strictRules, ['#story']), [])
    assert.is(await page.evaluate('document.documentElement.scrollWidth'), 390)
    await page.fill('#story [name=pet]', ' ')
    await page.click('#story [type=submit]')
    await page.locator('#story-told', { hasText: 'The pet needs a name' }).waitFor()
  },
  { isPhone: true, filter: '', scenarios: ['REST_NIGHT_FAIR', 'REST_NIGHT_POOR'] },
)

served('ends with Ctrl-C, and says where the comments are', async () => {
  const printed = await desk.end('SIGINT')
  assert.match(
    printed,
    /^The texts are ready\. Open this address in a browser:\n {2}http:\/\/127\.0\.0\.1:\d+\/\S+\/\n/,
  )
  assert.match(printed, /2 comments in desk\/comments\.json: svc insight comments desk\/comments\.json lists them\.\n$/)
})

served('needs the catalog of a checkout', () => {
  rmSync(join(place.folder, 'catalog/insight'), { recursive: true })
  const { status, stderr } = desk.insight('review', '--serve', '--no-open')
  assert.is(status, 2)
  assert.match(stderr, /catalog\/insight does not exist or cannot be written\. Run it in a checkout of the project/)
})

served.run()
