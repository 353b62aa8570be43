// run: takes 35 s
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as assert from 'uvu/assert'
import { routes } from '../../src/contract/index.js'
import { buildOpenApi } from '../../src/contract/openapi.js'
import { listPaths, type Route } from '../../src/contract/route.js'
import { statusByCode } from '../../src/errors.js'
import { rules } from '../../src/insight/rules/index.js'
import { describeBrowser } from '../helpers/browser-suite.js'
import { matchesExpected } from '../helpers/console-blocks.js'
import { readGuide } from '../helpers/guide.js'
import {
  type ExampleRun,
  type Language,
  languages,
  listExpected,
  type PageExample,
  readPageExamples,
  runExamples,
} from '../helpers/page-examples.js'
import { findFaults, findViolations, lookRules, openPage, wordRules } from '../helpers/page-faults.js'
import { reportSkip } from '../helpers/skip.js'
import { type RunningSvc, runNode, startSvc } from '../helpers/svc.js'
import { openTemporaryFolder } from '../helpers/temporary.js'

const writtenBase = 'http://127.0.0.1:8787'
const pages = readGuide()
const html = pages.map((page) => page.html).join('')
const written = readPageExamples(html)
const openapi = JSON.parse(JSON.stringify(buildOpenApi(routes, '')))

/** A server with the data that the examples in one language made. */
interface Reading {
  readonly server: RunningSvc
  readonly url: string
  readonly key: string
  readonly folder: string
  /** The examples as shown to a reader of this server. */
  readonly examples: readonly PageExample[]
  /** Undefined if a tool is missing. */
  readonly runs: readonly ExampleRun[] | undefined
}

interface Context {
  place: ReturnType<typeof openTemporaryFolder>
  readings: Readonly<Record<Language, Reading>>
  url: string
  key: string
}

const { described: guide, inBrowser } = describeBrowser<Context>('/api-docs')

/** The tools of each language, and the reason for skipping its examples without them. */
const tools: Readonly<Record<Language, readonly string[]>> = {
  curl: ['bash', 'curl'],
  TypeScript: [],
  Python: ['python3'],
}
const findMissing = (language: Language) => tools[language].filter((tool) => !isInstalled(tool))
const isInstalled = (tool: string) => spawnSync(tool, ['--version']).error === undefined

guide.before(async (context) => {
  context.place = openTemporaryFolder()
  const readings = await Promise.all(
    languages.map(async (language) => [language, await read(language, context.place.folder)] as const),
  )
  context.readings = Object.fromEntries(readings) as Context['readings']
  context.url = context.readings.curl.url
  context.key = context.readings.curl.key
})

guide.after(async ({ readings, place }) => {
  for (const { server } of Object.values(readings ?? {})) {
    server.child.kill('SIGTERM')
    await server.ended
  }
  place.close()
})

/** Starts a server, and runs the examples on its pages in a folder that has the small clients, as a reader saves them. */
async function read(language: Language, parent: string): Promise<Reading> {
  const folder = join(parent, language)
  const dataDir = join(folder, 'data')
  mkdirSync(folder)
  const server = startSvc(['serve', '--port', '0', '--json', '--data-dir', dataDir])
  const { url } = JSON.parse(await server.nextLine())
  const key = readFileSync(join(dataDir, 'local.key'), 'utf8').trim()
  const load = async (path: string) => (await fetch(url + path)).text()
  const served = await Promise.all(pages.map(({ path }) => load(path)))
  const examples = readPageExamples(served.join('').replaceAll(writtenBase, url))
  for (const file of ['svc.ts', 'svc.py']) writeFileSync(join(folder, file), await load(`/api-docs/${file}`))
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}')
  const runs =
    findMissing(language).length === 0
      ? await runExamples(language, examples, folder, { SVC_URL: url, SVC_API_KEY: key })
      : undefined
  return { server, url, key, folder, examples, runs }
}

for (const language of languages) {
  for (const [index, { name }] of written.entries()) {
    if (name === 'setup') continue
    guide(`the example ${name} in ${language} prints the answer on the page`, ({ readings }) => {
      const { examples, runs } = readings[language]
      if (runs === undefined) return reportSkip(`${language} of the guide: no ${findMissing(language).join(', ')}`)
      const example = examples[index]
      const { output, errors, ...run } = runs[index] ?? { output: '', errors: 'it did not run', status: '' }
      if (example === undefined) throw new Error(`${name} is not on the page`)
      const code = example.code[language]
      if (language === 'curl' && example.status !== '') {
        assert.is(run.status, example.status, `${code}\n${output}\n${errors}`)
      }
      const expected = listExpected(example, language)
      assert.ok(
        matchesExpected(output, expected),
        `${code}\nshould print\n${expected.join('\n')}\nbut printed\n${output}\n${errors}`,
      )
    })
  }
}

guide('the examples in TypeScript have no type error', ({ readings }) => {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const options = '--noEmit --singleThreaded --strict --skipLibCheck --target es2023 --module nodenext'.split(' ')
  const types = ['--allowImportingTsExtensions', '--types', 'node', '--typeRoots', join(root, 'node_modules/@types')]
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const { status, stdout } = runNode([tsc, ...options, ...types, 'guide.ts'], { cwd: readings.TypeScript.folder })
  assert.is(stdout, '')
  assert.is(status, 0)
})

guide('has an example of every operation, and every path', () => {
  for (const [name, route] of Object.entries<Route>(routes)) {
    const example = written.find((each) => each.name === name)
    assert.ok(example, `no example of ${name}`)
    for (const path of listPaths(route)) assert.match(html, `${path}</code>`)
  }
})

guide('links to every operation of the reference, and to nothing else there', () => {
  const operations = Object.entries<Record<string, { operationId: string }>>(openapi.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { operationId }]) => !operationId.endsWith('Alias'))
      .map(([method]) => `${method}-${path.replaceAll(/[{}]/g, '-')}`),
  )
  const linked = [...html.matchAll(/href="(?:\.\.\/)?docs#\?route=([^"]*)"/g)].map(([, id = '']) => id)
  assert.equal([...new Set(linked)].sort(), operations.sort())
})

guide('names every error code with its status, and every rule of a health payload', () => {
  for (const [name, status] of Object.entries(statusByCode))
    assert.match(html, `<td><code>${name}</code></td>\n<td>${status}</td>`)
  for (const { id } of rules) assert.match(html, `<td><code>${id}</code></td>`)
})

guide('has a page and a heading for every link, and unique headings', () => {
  const headings = (page: string) => [...page.matchAll(/<h[1-6] id="([^"]+)"/g)].map(([, id = '']) => id)
  const all = pages.flatMap((page) => headings(page.html))
  assert.is(new Set(all).size, all.length)
  for (const page of pages) {
    const ids = [...page.html.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id)
    assert.is(new Set(ids).size, ids.length, page.path)
    for (const [, link = ''] of page.html.matchAll(/\shref="([^"]+)"/g)) {
      const { pathname, hash } = new URL(link, `http://svc.test${page.path}`)
      if (!pathname.startsWith('/api-docs') || /\.\w+$/.test(pathname)) continue
      const target = pages.find(({ path }) => path === pathname)
      assert.ok(target, `${page.path} links to ${link}`)
      if (hash !== '') assert.match(target.html, `id="${hash.slice(1)}"`)
    }
  }
})

inBrowser('has no violation and no layout shift, on a desktop and a phone', async ({ url }, browser) => {
  const page = await openPage(browser, `${url}/api-docs`)
  await page.addInitScript(observeShifts)
  const show = async ({ colorScheme, ...size }: (typeof looks)[number]) => {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize(size)
  }
  const checked = new Set<string>()
  for (const [index, { path }] of pages.entries()) {
    // A page is loaded in one way and then shown in the other, by turns.
    const [first, second] = index % 2 === 0 ? looks : looks.toReversed()
    await show(first)
    await page.goto(url + path)
    // The look depends on the kinds of elements: a page that has no new ones has its words and its width alone.
    const kinds = await page.evaluate<string[]>(listKinds)
    const isKnown = kinds.every((kind) => checked.has(kind))
    for (const kind of kinds) checked.add(kind)
    assert.equal(await findFaults(page, isKnown ? wordRules : undefined), [], `${path} at ${first.width}`)
    const shift = await page.evaluate<number>('window.shift')
    assert.ok(shift < 0.1, `${path} at ${first.width}: a layout shift of ${shift}`)
    await show(second)
    assert.equal(await findFaults(page, isKnown ? ['html-has-lang'] : lookRules), [], `${path} at ${second.width}`)
  }
  await page.close()
})

/** Names the kinds of elements of a page as selectors of its styles do: by the element and its classes, below its parent. */
const listKinds = `
  [...new Set([...document.querySelectorAll('body *')].map((element) =>
    [element.parentElement, element].map(({ localName, className }) => localName + '.' + className).join(' > ')))]
`

const looks = [
  { colorScheme: 'light', width: 1280, height: 800 },
  { colorScheme: 'dark', width: 390, height: 844 },
] as const

inBrowser('the check finds one text of low contrast between many others', async (_, browser) => {
  const page = await browser.newPage()
  const texts = Array.from({ length: 9 }, () => '<p>Text</p>').join('')
  await page.setContent(`
    <html lang="en"><title>Texts</title><main><h1>Texts</h1>${texts}
    <p id="pale" style="color: #bbb">Text</p>${texts}
    <div style="background: #555"><p id="dark">Text</p></div>${texts}
    <div style="opacity: 0.4"><p id="faded">Text</p></div>${texts}</main></html>`)
  const [found = '', ...others] = await findViolations(page)
  assert.equal(others, [])
  const ids = [...found.matchAll(/#\w+(?= \()/g)].map(([id]) => id)
  assert.equal(ids, ['#pale', '#dark', '#faded'])
  await page.close()
})

/** Adds up the layout shifts, as CLS does. A string, since this project has no browser types. */
const observeShifts = `
  window.shift = 0
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value
  }).observe({ type: 'layout-shift', buffered: true })
`

inBrowser('names this server, and copies a command by keyboard', async ({ url }, browser) => {
  const page = await openPage(browser, `${url}/api-docs/service`)
  const text = await page.locator('main').innerText()
  assert.not.match(text, writtenBase)
  assert.match(text, `curl -sS ${url}/health`)
  const button = page.locator('[data-name=getHealth] [data-panel=curl] button')
  await button.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  assert.is(await page.evaluate('navigator.clipboard.readText()'), `curl -sS ${url}/health`)
  await page.close()
})

inBrowser('copies the key of the tab without showing it', async ({ url, key }, browser) => {
  const page = await openPage(browser, `${url}/docs#?route=get-/v1/models`)
  await page.getByLabel('API key').fill(key)
  await page.getByRole('button', { name: 'Use key' }).click()
  await page.getByText('Calls now use this key.').waitFor()
  await page.getByRole('link', { name: 'Guide', exact: true }).click()
  await page.getByRole('button', { name: 'Copy with the key of this tab' }).click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  assert.is(await page.evaluate('navigator.clipboard.readText()'), `export SVC_API_KEY=${key}`)
  assert.not.match(await page.locator('body').innerText(), key)
  await page.close()
})

inBrowser('shows the language that was chosen in all examples and pages', async ({ url }, browser) => {
  const page = await openPage(browser, `${url}/api-docs/service`)
  const shown = () => page.locator('[data-panel]:visible').evaluateAll((all) => all.map((each) => each.dataset.panel))
  assert.equal(new Set(await shown()), new Set(['curl']))
  await page.locator('[data-name=getHealth]').getByRole('tab', { name: 'curl' }).focus()
  await page.keyboard.press('ArrowLeft')
  assert.equal(new Set(await shown()), new Set(['Python']))
  await page.locator('[data-name=getReady]').getByRole('tab', { name: 'TypeScript' }).click()
  assert.equal(new Set(await shown()), new Set(['TypeScript']))
  await page.goto(`${url}/api-docs/keys`)
  assert.equal(new Set(await shown()), new Set(['TypeScript']))
  const tab = page.getByRole('tab', { name: 'TypeScript' })
  assert.is(await tab.getAttribute('aria-selected'), 'true')
  await page.close()
})

inBrowser('finds a section by Ctrl-K, words that are cut off or misspelled, and Enter', async ({ url }, browser) => {
  const page = await openPage(browser, `${url}/api-docs/service`)
  for (const [words, title, address] of [
    ['repeat idempot', 'Repeating a call', '/api-docs/requests#repeating-a-call'],
    ['poling task', 'Tasks and polling', '/api-docs/tasks'],
    [
      'period-timezone-abbreviation',
      '2.1 Envelope, pet and period',
      '/api-docs/health-rules#2-1-envelope-pet-and-period',
    ],
  ] as const) {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill(words)
    const option = page.getByRole('option', { name: title }).first()
    await option.waitFor()
    while ((await option.getAttribute('aria-selected')) !== 'true') await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(url + address)
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
  }
  await page.keyboard.press('/')
  await page.getByRole('combobox').fill('task')
  await page.getByRole('option').first().waitFor()
  // A modal dialog makes the rest of the page inert.
  assert.equal(await findFaults(page, undefined, ['dialog']), [])
  await page.getByRole('combobox').fill('qqqq')
  await page.getByText('Nothing in the guide matches “qqqq”.').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await page.close()
})

inBrowser('opens a section by its address, also an old one, and marks it in the contents', async ({ url }, browser) => {
  const page = await openPage(browser, `${url}/api-docs#repeating-a-call`)
  await page.waitForURL(`${url}/api-docs/requests#repeating-a-call`)
  await page.locator('.contents a[aria-current=true]', { hasText: 'Repeating a call' }).waitFor()
  assert.ok(await page.locator('h2#repeating-a-call').isVisible())
  await page.close()
})

inBrowser('opens the contents over the page on a phone', async ({ url }, browser) => {
  const page = await openPage(browser, `${url}/api-docs`, { width: 390, height: 844 })
  const contents = page.getByRole('navigation', { name: 'Contents' })
  assert.not.ok(await contents.isVisible())
  await page.getByRole('button', { name: 'Contents' }).click()
  await contents.getByRole('link', { name: 'Files' }).click()
  await page.waitForURL(`${url}/api-docs/files`)
  assert.not.ok(await contents.isVisible())
  await page.close()
})

guide.run()
