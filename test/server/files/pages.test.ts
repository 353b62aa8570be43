import { gunzipSync } from 'node:zlib'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { pages } from '../../../src/server/files/page-table.js'
import { readError, startApp, type TestApp } from '../../helpers/app.js'
import { readGuide } from '../../helpers/guide.js'

const serving = suite('pages')
let app: TestApp

serving.before(async () => {
  app = await startApp()
})

serving.after(() => app.close())

const send = async (method: string, path: string, headers: Record<string, string> = {}) =>
  app.app.fetch(new Request(`http://svc.test${path}`, { method, headers }))

for (const { path } of pages) {
  serving(`serves ${path} and all files that it names, without a key`, async () => {
    const page = await app.get(path)
    assert.is(page.status, 200)
    assert.is(page.headers.get('content-type'), 'text/html; charset=utf-8')
    const names = [...(await page.text()).matchAll(/\s(?:src|href)="([^":#]+-[0-9A-Z]{8}\.\w+)"/g)].map(
      ([, name]) => name,
    )
    assert.ok(names.length >= 3, String(names))
    for (const name of names) {
      const file = await app.get(new URL(`${name}`, `http://svc.test${path}`).pathname)
      assert.is(file.status, 200, name)
      assert.match(file.headers.get('cache-control') ?? '', 'immutable')
      assert.is(file.headers.get('x-content-type-options'), 'nosniff')
      assert.is((await file.arrayBuffer()).byteLength, Number(file.headers.get('content-length')))
    }
  })

  serving(`lets ${path} load nothing from other origins and nothing inline`, async () => {
    const { headers } = await app.get(path)
    const policy = headers.get('content-security-policy') ?? ''
    for (const directive of ["default-src 'none'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"]) {
      assert.match(policy, directive)
    }
    // The library of /docs sets inline styles.
    const rest = path === '/docs' ? policy.replace("style-src 'self' 'unsafe-inline'", '') : policy
    assert.not.match(rest, /unsafe|https?:|\*/)
    assert.is(headers.get('referrer-policy'), 'no-referrer')
    assert.is(headers.get('x-content-type-options'), 'nosniff')
  })
}

serving('serves the sample photos and payloads to the demo page, and no other file', async () => {
  // A picture is not compressed.
  const { headers } = await send('GET', '/demo/photos/dog.jpg', { 'accept-encoding': 'br, gzip' })
  const named = ['content-type', 'content-encoding', 'vary'].map((name) => headers.get(name))
  assert.equal(named, ['image/jpeg', null, null])
  const fixtures = (await (await app.get('/demo/fixtures.json')).json()) as { file: string }[]
  assert.ok(fixtures.length > 100)
  for (const { file } of fixtures) assert.is((await app.get(`/demo/fixtures/${file}`)).status, 200, file)
  const outside = ['../insight/REST_NIGHT_GOOD.json', '..%2f..%2fpackage.json']
  for (const name of [...outside, 'README.md', 'none.jpg', '.hidden.json', '']) {
    const { status, code } = await readError(await app.get(`/demo/photos/${name}`))
    assert.equal([status, code], [404, 'not_found'], name)
  }
})

for (const path of ['/demo', '/demo/fixtures.json', '/openapi.json', '/llms.txt', '/api-docs/testing.md']) {
  serving(`sends ${path} compressed to those who accept it`, async () => {
    const plain = await send('GET', path)
    const text = await plain.text()
    assert.is(plain.headers.get('content-encoding'), null)
    assert.is(plain.headers.get('vary'), 'Accept-Encoding')
    const ask = { 'accept-encoding': 'gzip' }
    const response = await send('GET', path, ask)
    const bytes = Buffer.from(await response.arrayBuffer())
    assert.is(gunzipSync(bytes).toString(), text)
    assert.ok(bytes.byteLength < text.length / 2, `${bytes.byteLength} of ${text.length}`)
    const { headers } = response
    assert.is(headers.get('content-encoding'), 'gzip')
    assert.is(headers.get('content-type'), plain.headers.get('content-type'))
    assert.is(headers.get('content-length'), String(bytes.byteLength))
    assert.is(headers.get('vary'), 'Accept-Encoding')

    const head = await send('HEAD', path, ask)
    assert.is(await head.text(), '')
    for (const name of ['etag', 'content-length', 'content-encoding', 'vary', 'cache-control']) {
      assert.is(head.headers.get(name), headers.get(name), name)
    }
    const again = await send('GET', path, { ...ask, 'if-none-match': headers.get('etag') ?? '' })
    assert.is(again.status, 304)
    assert.is(await again.text(), '')
    assert.is(again.headers.get('vary'), 'Accept-Encoding')
    assert.is(again.headers.get('etag'), headers.get('etag'))
    const other = await send('GET', path, { 'if-none-match': headers.get('etag') ?? '' })
    assert.is(other.status, 200, 'the tag of the compressed file is not that of the plain one')

    // A part of compressed bytes is useless: the file is sent whole.
    const part = await send('GET', path, { ...ask, range: 'bytes=0-9' })
    assert.equal([part.status, part.headers.get('content-range')], [200, null])
    assert.is(part.headers.get('accept-ranges'), null)
    assert.is((await part.arrayBuffer()).byteLength, bytes.byteLength)
  })
}

serving('lists the guide as Markdown in /llms.txt, with links that all lead somewhere', async () => {
  const index = await app.get('/llms.txt')
  assert.is(index.headers.get('content-type'), 'text/plain; charset=utf-8')
  const text = await index.text()
  assert.match(text, /^# svc\n\n> .+\n\n[^#]+\n\n## Basics\n\n(- \[.+\]\(.+\): .+\n)+\n## Operations\n/)
  const listed = [...text.matchAll(/\]\((api-docs\/[\w-]+\.md)\)/g)].map(([, path]) => path)
  assert.is(listed.length, readGuide().length)
  const files = new Map([['/llms.txt', text]])
  for (const path of listed) files.set(`/${path}`, await (await app.get(`/${path}`)).text())
  for (const [path, content] of files) {
    assert.not.match(content, /^```(call|file)|^\{\{/m, path)
    for (const [, link = ''] of content.matchAll(/\]\(([^)]+)\)/g)) {
      const { pathname, hash } = new URL(link, `http://svc.test${path}`)
      assert.is((await send('HEAD', pathname)).status, 200, `${path} links to ${link}`)
      const titles = [...(files.get(pathname) ?? '').matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => title)
      const ids = titles.map((title) => title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'))
      if (pathname.endsWith('.md') && hash !== '') assert.ok(ids.includes(hash.slice(1)), `${path} links to ${link}`)
    }
  }
  const { headers } = await app.get('/api-docs/tasks.md')
  assert.is(headers.get('content-type'), 'text/markdown; charset=utf-8')
})

serving('redirects /demo/ to /demo, and accepts only GET and HEAD', async () => {
  const moved = await send('GET', '/demo/')
  assert.is(moved.status, 308)
  assert.is(new URL(moved.headers.get('location') ?? '', 'http://svc.test/below/demo/').pathname, '/below/demo')
  const refused = await send('POST', '/demo')
  assert.is(refused.status, 405)
  assert.is(refused.headers.get('allow'), 'GET, HEAD, OPTIONS')
})

serving.run()
