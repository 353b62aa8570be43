import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { Database } from '../../src/adapters/sql/sqlite/driver.js'
import { describeDataDir } from '../../src/runtime/data-dir.js'
import { startApp, type TestApp } from '../helpers/app.js'
import { describeBrowser, openShared } from '../helpers/browser-suite.js'

const flags = ['--host-resolver-rules=MAP rebound.example 127.0.0.1']
const { described: origin, inBrowser } = describeBrowser('a page of another origin', flags)
let app: TestApp
let url: string
let hostile: Server
origin.before(async () => {
  app = await startApp()
  ;({ url } = await app.app.listen())
  hostile = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<p>Hello')).listen(
    0,
    '127.0.0.1',
  )
  await once(hostile, 'listening')
})
origin.after(async () => {
  hostile.close()
  await app.close()
})

/** Runs a test on a page of the other origin. */
function onPage(name: string, test: (page: Page) => Promise<void>): void {
  inBrowser(name, async (_, browser) => {
    const page = await openShared(browser, { width: 1280, height: 720 })
    await page.goto(`http://127.0.0.1:${(hostile.address() as AddressInfo).port}/`)
    await test(page)
    await page.close()
  })
}

function countRows(): number {
  const database = new Database(describeDataDir(app.dataDir).database, { readonly: true })
  const count = (table: string) => database.prepare<[], number>(`select count(*) from ${table}`).pluck().get() ?? 0
  const rows = ['tasks', 'usage_entries', 'insight_archive', 'home_insights', 'feedback'].map(count)
  database.close()
  return rows.reduce((sum, rowsOfTable) => sum + rowsOfTable, 0)
}

onPage('reads no answer', async (page) => {
  for (const path of ['/health', '/demo', '/openapi.json', '/v1/models']) {
    const read = await page.evaluate(
      (address) =>
        fetch(address).then(
          (response) => `read ${response.status}`,
          (error) => error.name,
        ),
      `${url}${path}`,
    )
    assert.is(read, 'TypeError', path)
  }
})

onPage('writes nothing, with or without a key', async (page) => {
  const before = countRows()
  const body = '{"user_id":"u","pet_id":"p"}'
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${app.key}` }
  const calls: [path: string, init: RequestInit, outcome: string][] = [
    // A simple request needs no permission of the server; it has no key.
    ['/v1/home-insights/generate', { method: 'POST', mode: 'no-cors', body }, 'sent'],
    ['/v1/home-insights/generate', { method: 'POST', headers, body }, 'blocked'],
    ['/v1/pet-animation/tasks/animation_1', { method: 'DELETE', headers }, 'blocked'],
  ]
  for (const [path, init, outcome] of calls) {
    const sent = await page.evaluate(
      ([address, options]) =>
        fetch(address, options).then(
          () => 'sent',
          () => 'blocked',
        ),
      [url + path, init] as const,
    )
    assert.is(sent, outcome, path)
  }
  assert.is(countRows(), before)
})

onPage('is not answered under a name of its own that resolves to this machine', async (page) => {
  const response = await page.goto(url.replace('127.0.0.1', 'rebound.example'))
  assert.is(response?.status(), 421)
  assert.match((await response?.text()) ?? '', 'host_not_allowed')
})

onPage('cannot show the demo page in a frame', async (page) => {
  await page.setContent(`<iframe src="${url}/demo"></iframe>`)
  const [, frame] = page.frames()
  assert.not.match((await frame?.content()) ?? '', 'svc')
})

origin.run()
