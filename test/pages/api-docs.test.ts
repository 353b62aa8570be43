import { readFileSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { routes } from '../../src/contract/index.js'
import { listPaths, type Route } from '../../src/contract/route.js'
import { statusByCode } from '../../src/errors.js'
import { rules } from '../../src/insight/rules/index.js'
import { noChromium, openChromium } from '../helpers/chromium.js'
import { matchesExpected } from '../helpers/console-blocks.js'
import { type ExampleRun, type PageExample, readPageExamples, runExamples } from '../helpers/page-examples.js'
import { findFaults, openPage } from '../helpers/page-faults.js'
import { reportSkip } from '../helpers/skip.js'
import { type RunningSvc, startSvc } from '../helpers/svc.js'
import { openTemporaryFolder } from '../helpers/temporary.js'

const writtenBase = 'http://127.0.0.1:8787'
const html = readFileSync(new URL('../../dist/pages/api-docs/index.html', import.meta.url), 'utf8')
const written = readPageExamples(html)

interface Context {
  place: ReturnType<typeof openTemporaryFolder>
  server: RunningSvc
  url: string
  /** The examples as shown to a reader at `url`. */
  examples: readonly PageExample[]
  runs: readonly ExampleRun[]
  browser: Browser | undefined
}

const guide = suite<Context>('/api-docs')

guide.before(async (context) => {
  context.place = openTemporaryFolder()
  const dataDir = `${context.place.folder}/data`
  context.server = startSvc(['serve', '--port', '0', '--json', '--data-dir', dataDir])
  context.url = JSON.parse(await context.server.nextLine()).url
  const key = readFileSync(`${dataDir}/local.key`, 'utf8').trim()
  const page = await (await fetch(`${context.url}/api-docs`)).text()
  context.examples = readPageExamples(page.replaceAll(writtenBase, context.url))
  context.runs = runExamples(context.examples, context.place.folder, { SVC_API_KEY: key })
  context.browser = await openChromium()
})

guide.after(async ({ browser, server, place }) => {
  await browser?.close()
  server.child.kill('SIGTERM')
  await server.ended
  place.close()
})

for (const [index, { name }] of written.entries()) {
  guide(`the command of ${name} prints the answer on the page`, ({ examples, runs }) => {
    const { command, status, answer } = examples[index] ?? { command: '', status: '', answer: [] }
    const { output, errors, ...run } = runs[index] ?? { output: '', errors: 'it did not run', status: '' }
    if (status !== '') assert.is(run.status, status, `${command}\n${output}\n${errors}`)
    const expected = answer.map((line) => (line.trim() === '…' ? '…' : line))
    assert.ok(
      matchesExpected(output, expected),
      `$ ${command}\nshould print\n${answer.join('\n')}\nbut printed\n${output}`,
    )
  })
}

guide('shows every operation, with an example and a link to its form', () => {
  for (const [name, route] of Object.entries<Route>(routes)) {
    assert.match(html, `<h3 id="${name}">`)
    assert.ok(
      written.some((example) => example.name === name),
      `no example of ${name}`,
    )
    for (const path of listPaths(route)) assert.match(html, `<code>${path}</code>`)
    const form = `${route.method.toLowerCase()}-${route.path.replaceAll(/[{}]/g, '-')}`
    assert.match(html, `href="docs#?route=${form}"`)
  }
})

guide('names every error code and every rule of a health payload', () => {
  for (const name of [...Object.keys(statusByCode), ...rules.map(({ id }) => id)]) {
    assert.match(html, `<code>${name}</code>`)
  }
})

guide('has a heading for every internal link, and unique headings', () => {
  const ids = [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id)
  assert.is(new Set(ids).size, ids.length)
  for (const [, id = ''] of html.matchAll(/href="#([^"]+)"/g)) assert.ok(ids.includes(id), `#${id}`)
})

/** Declares a test that is skipped without a browser. */
function inBrowser(title: string, run: (context: Context, browser: Browser) => Promise<void>): void {
  guide(title, async (context) => {
    if (context.browser === undefined) return reportSkip(noChromium)
    await run(context, context.browser)
  })
}

inBrowser(
  'has no accessibility or policy violation on a desktop in light, and on a phone in dark',
  async ({ url }, browser) => {
    const page = await openPage(browser, `${url}/api-docs`, {
      colorScheme: 'light',
      viewport: { width: 1280, height: 900 },
    })
    assert.equal(await findFaults(page), [])
    await page.setViewportSize({ width: 390, height: 900 })
    await page.emulateMedia({ colorScheme: 'dark' })
    assert.equal(await findFaults(page), [])
    await page.close()
  },
)

inBrowser('names this server in every command', async ({ url }, browser) => {
  const page = await openPage(browser, `${url}/api-docs`)
  const text = await page.locator('main').innerText()
  assert.not.match(text, writtenBase)
  assert.match(text, `curl -sS ${url}/health`)
  await page.close()
})

inBrowser('copies a command by keyboard, and confirms it', async ({ url }, browser) => {
  const page = await openPage(browser, `${url}/api-docs`, { permissions: ['clipboard-read', 'clipboard-write'] })
  const button = page.locator('[data-name=getHealth] button')
  await button.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  assert.is(await page.evaluate('navigator.clipboard.readText()'), `curl -sS ${url}/health`)
  await page.close()
})

inBrowser('opens a section by its address, and marks it in the contents', async ({ url }, browser) => {
  const page = await openPage(browser, `${url}/api-docs#errors`)
  await page.locator('.contents a[aria-current]', { hasText: 'Errors' }).waitFor()
  assert.ok(await page.locator('h2#errors').isVisible())
  await page.close()
})

guide.run()
