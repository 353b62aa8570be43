import { createHash } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { locales, scenarios } from '../../src/insight/index.js'
import { renderReviewPage } from '../../src/review/page.js'
import { createReview } from '../../src/review/review.js'
import { insightFixtures } from '../helpers/fixtures.js'
import { changePayload } from '../helpers/payloads.js'
import { examplesOf, reviewChanged, reviewCopy, reviewTexts, signedOff } from '../helpers/review.js'

const page = suite('review page')
const review = reviewChanged()
const html = renderReviewPage(review, '2026-10-14')

page('is one document below 2 MB that asks for nothing', () => {
  assert.ok(Buffer.byteLength(html) < 2_000_000, `${Buffer.byteLength(html)} bytes`)
  assert.not.match(html, /https?:|<link|<img|<iframe|@import|url\(|src=/)
})

page('allows its own script and style, by their hashes, and nothing else', () => {
  const policy = /Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1] ?? ''
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  const script = /<script>([\s\S]*?)<\/script>/.exec(html)?.[1] ?? ''
  const style = /<style>([\s\S]*?)<\/style>/.exec(html)?.[1] ?? ''
  assert.match(policy, `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}`)
  assert.not.match(html, / style=| on\w+=/)
})

page('shows every scenario with its condition, and every text of every example in three languages', () => {
  for (const { id, condition } of scenarios)
    assert.match(html.toLowerCase(), `${condition.toLowerCase()} <code>${id}`.toLowerCase())
  const said = examplesOf(review).flatMap(({ texts }) => texts.map(({ text }) => text))
  assert.is(said.length, examplesOf(review).length * locales.length)
  const unescaped = html.replaceAll('&#39;', "'").replaceAll('&quot;', '"')
  for (const text of said) assert.ok(unescaped.includes(`dir="auto">${text}</p>`), text)
})

page('tells who signed off, when and for which version; what is not markup stays text', () => {
  assert.match(html, 'Signed off by the &lt;reviewers&gt; on 14 October 2026, label-of-then')
  assert.equal(review.states, { signed: 246, changed: 0, stale: 0, unsigned: 0 })
})

page('a name is never markup, in an element or in the data of the script', () => {
  const [fixture] = insightFixtures
  if (fixture === undefined) throw new Error('there is no fixture')
  const name = `</script><script>alert("1")</script><b title='x'>&amp;`
  const payload = changePayload(fixture.payload, { '/petProfile/name': name })
  const hostile = createReview({
    texts: reviewTexts,
    copy: reviewCopy,
    signoff: signedOff,
    fixtures: [{ name: fixture.name, payload }],
  })
  const written = renderReviewPage(hostile, '2026-10-14')
  assert.not.match(written, '<script>alert')
  assert.not.match(written, '<b title')
  assert.match(
    written,
    '&lt;/script&gt;&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&lt;b title=&#39;x&#39;&gt;&amp;amp;',
  )
  assert.is(written.split('</script>').length, 3)
})

const changed = reviewChanged([
  ['STREAK_NIGHTS', 'en-US', 'nights in a row', 'nights running'],
  ['ADVICE_BARK', 'es', 'compañía tranquila', 'compañía <b>serena</b>'],
])

page('a changed text shows word by word what changed, wherever it is read', () => {
  const poor = examplesOf(changed).find(({ id }) => id === 'REST_NIGHT_POOR')
  assert.equal(
    poor?.texts.map(({ state }) => state),
    ['stale', 'changed', 'stale'],
  )
  const changes = poor?.texts[1]?.changes?.filter(({ kind }) => kind !== 'same')
  assert.equal(changes, [
    { kind: 'removed', text: 'in a row' },
    { kind: 'added', text: 'running' },
  ])
  const rewritten = renderReviewPage(changed, '2026-10-14')
  assert.match(rewritten, '<ins><span class="said" lang="en"> put in: </span>running<')
  assert.match(rewritten, 'compañía &lt;b&gt;serena&lt;/b&gt;')
  assert.match(rewritten, 'The 2 changed wordings as they are written')
  assert.match(rewritten, /data-show="[^"]*changed/)
})

page('only what says something else is changed', () => {
  const count = examplesOf(changed).filter(({ texts }) => texts.some(({ state }) => state === 'changed')).length
  const expected = examplesOf(changed).filter(({ texts }) =>
    texts.some(({ text }) => text.includes('nights running') || text.includes('<b>serena')),
  ).length
  assert.is(count, expected)
  assert.equal(changed.states, { signed: 242, changed: 2, stale: 2, unsigned: 0 })
})

page('a text that was never signed off says so', () => {
  const unsigned = reviewChanged([], { ...signedOff, REST_NIGHT_POOR: {} })
  const [poor] = unsigned.scenarios.find(({ id }) => id === 'REST_NIGHT_POOR')?.examples ?? []
  assert.equal(
    poor?.texts.map(({ state }) => state),
    ['unsigned', 'unsigned', 'unsigned'],
  )
  assert.is(unsigned.states.unsigned, 3)
})

page('a text signed off with arguments that its scenario no longer has is listed as it was written', () => {
  const entry = { ...signedOff.REST_NIGHT_GOOD?.es, text: '{nobody} durmió bien.' }
  const old = { ...signedOff, REST_NIGHT_GOOD: { ...signedOff.REST_NIGHT_GOOD, es: entry } }
  const rewritten = reviewChanged([], old as typeof signedOff)
  assert.is(rewritten.changed.length, 1)
  assert.match(renderReviewPage(rewritten, '2026-10-14'), /nobody/)
})

page('facts are shown beside the text, and what is derived is named so', () => {
  assert.match(html, '<dt>rating</dt><dd>Poor</dd>')
  assert.match(html, '<small>derived</small>')
  assert.match(html, /Derived from <code>\w/)
})

page.run()
