import { createHash } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { renderReviewPage } from '../../../src/copydesk/page/page.js'
import { createReview } from '../../../src/copydesk/page/review.js'
import { renderDates, titleOf } from '../../../src/copydesk/page/words.js'
import { locales, scenarios } from '../../../src/insight/index.js'
import { insightFixtures } from '../../helpers/fixtures.js'
import { changePayload } from '../../helpers/payloads.js'
import {
  answersSignedOff,
  examplesOf,
  reviewChanged,
  reviewCopy,
  reviewTexts,
  signedOff,
} from '../../helpers/review.js'

const page = suite('review page')
const review = reviewChanged()
/** Fixtures that are enough for most changes. */
const few = /^(REST_NIGHT_(GOOD|POOR)|BARK_TODAY|BARK_DAY_FREQUENT)/
const html = renderReviewPage(review, '2026-10-14')

type Example = ReturnType<typeof examplesOf>[number]
const statesOf = (example: Example | undefined) => example?.texts.map(({ state }) => state).join()
/** The words that differ, '-' before those that are gone. */
const changesOf = (text: Example['texts'][number] | undefined) =>
  text?.changes?.flatMap(({ kind, text }) => (kind === 'same' ? [] : `${kind === 'added' ? '+' : '-'}${text}`)).join()

page('is one document under 2 MB that requests nothing', () => {
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

page('shows who signed off, when and for which version; text that is not markup stays text', () => {
  const date = '<span data-date="2026-10-14">14 October 2026</span>'
  assert.match(html, `<p class="sign signed">Signed off by the &lt;reviewers&gt; on ${date}, label-of-then</p>`)
  assert.equal([review.states, review.native], [{ signed: 246, changed: 0, stale: 0, unsigned: 0 }, 246])
})

page('says of a text that the team signed that it has no native approval yet, never that it is signed off', () => {
  const team: typeof signedOff = JSON.parse(
    JSON.stringify(signedOff).replaceAll('"the <reviewers>"', '"svc team, edited by native-level readers"'),
  )
  const edited = reviewChanged([], team, answersSignedOff, few)
  const written = renderReviewPage(edited, '2026-10-14')
  assert.not.match(written, '>Signed off')
  const count = examplesOf(edited).length * locales.length
  assert.is(written.split('<p class="sign signed">Edited, no native approval yet</p>').length - 1, count)
  assert.match(written, '246 wordings: 0 signed off by native readers, 246 edited, with no native approval yet')
  const english = { ...team.REST_NIGHT_POOR?.['en-US'], by: 'Ann' }
  const half = { ...team, REST_NIGHT_POOR: { ...team.REST_NIGHT_POOR, 'en-US': english } } as typeof team
  const one = reviewChanged([], half, answersSignedOff, few)
  assert.is(one.native, 1)
  assert.not.match(renderReviewPage(one, '2026-10-14'), '>Signed off')
})

page('shows what changed since the label before, in signed texts and in the answers of fixtures', () => {
  const formerly = { text: 'Last night, PET did not sleep.', ruleVersion: 'label-of-1999' }
  const relabelled = <Entries extends typeof signedOff>(approvals: Entries, id: string): Entries => {
    const { es } = approvals[id] ?? {}
    if (es === undefined) throw new Error(`no approval of ${id}`)
    const ruleVersion = reviewTexts.ruleVersion
    return { ...approvals, [id]: { ...approvals[id], es: { ...es, ruleVersion, before: formerly } } }
  }
  const texts = relabelled(signedOff, 'REST_FACT')
  const changed = reviewChanged([], texts, relabelled(answersSignedOff, 'REST_NIGHT_GOOD'), few)
  assert.is(changed.relabelled.map(({ id, locale }) => `${id} ${locale}`).join(), 'REST_FACT es')
  const shown = examplesOf(changed).filter((example) => example.texts.some(({ since }) => since !== undefined))
  assert.is(shown.map(({ id }) => id).join(), 'REST_NIGHT_GOOD')
  const written = renderReviewPage(changed, '2026-10-14')
  assert.match(written, `Wordings that ${reviewTexts.ruleVersion} changed`)
  assert.match(written, '<summary>Changed since label-of-1999</summary>')
  assert.match(written, 'data-show="signed relabelled first"')
  assert.not.match(html, '<summary>Changed since')
})

page('a name is never markup, in an element or in the data of the script', () => {
  const [fixture] = insightFixtures
  if (fixture === undefined) throw new Error('there is no fixture')
  const name = `</script><script>alert("1")</script><b title='x'>&amp;`
  const payload = changePayload(fixture.payload, { '/petProfile/name': name })
  const hostile = createReview({
    texts: reviewTexts,
    copy: reviewCopy,
    signoff: { texts: signedOff, answers: answersSignedOff },
    fixtures: [{ name: fixture.name, payload }],
  })
  const written = renderReviewPage(hostile, '2026-10-14')
  assert.not.match(written, '<script>alert')
  assert.not.match(written, '<b title')
  const escaped = '&lt;/script&gt;&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&lt;b title=&#39;x&#39;&gt;&amp;amp;'
  assert.match(written, escaped)
  assert.is(written.split('</script>').length, 3)
})

const changed = reviewChanged(
  [
    ['STREAK_NIGHTS', 'en-US', 'nights in a row', 'nights running'],
    ['ADVICE_BARK', 'es', 'compañía tranquila', 'compañía <b>serena</b>'],
  ],
  signedOff,
  answersSignedOff,
  few,
)

page('shows the word diff of a changed text wherever it appears, and the wording that changed it', () => {
  const poor = examplesOf(changed).find(({ id }) => id === 'REST_NIGHT_POOR')
  assert.is(statesOf(poor), 'stale,changed,stale')
  assert.equal(poor?.texts[1]?.wordings, ['STREAK_NIGHTS'])
  assert.is(changesOf(poor?.texts[1]), '-in a row,+running')
  const rewritten = renderReviewPage(changed, '2026-10-14')
  assert.match(rewritten, '<ins><span class="said" lang="en"> added: </span>running<')
  assert.match(rewritten, 'compañía &lt;b&gt;serena&lt;/b&gt;')
  assert.match(rewritten, 'The 2 changed wordings as they are written')
  assert.match(rewritten, /data-show="[^"]*changed/)
  assert.match(rewritten, 'label-of-then, because of STREAK_NIGHTS</p>')
  assert.equal(review.dates, [])
})

page('marks a text that was never signed off', () => {
  const unsigned = reviewChanged([], { ...signedOff, REST_NIGHT_POOR: {} }, answersSignedOff, few)
  const [poor] = unsigned.scenarios.find(({ id }) => id === 'REST_NIGHT_POOR')?.examples ?? []
  assert.is(statesOf(poor), 'unsigned,unsigned,unsigned')
  assert.is(unsigned.states.unsigned, 3)
})

page('lists a signed-off text as written if its scenario no longer has its arguments', () => {
  const entry = { ...signedOff.REST_NIGHT_GOOD?.es, text: '{nobody} durmió bien.' }
  const old = { ...signedOff, REST_NIGHT_GOOD: { ...signedOff.REST_NIGHT_GOOD, es: entry } }
  const rewritten = reviewChanged([], old as typeof signedOff, answersSignedOff, few)
  assert.is(rewritten.changed.length, 1)
  assert.match(renderReviewPage(rewritten, '2026-10-14'), /nobody/)
})

page('shows facts next to the text, and marks derived examples', () => {
  assert.match(html, '["rating","Poor"]')
  assert.match(html, '<p class="derived">Derived: woke once</p>')
  assert.match(html, /<p class="source">from <code>\w+\.json</)
})

const titles: readonly (readonly [id: string, title: string])[] = [
  ['ACTIVITY_TODAY_BELOW_GOAL', 'Activity, 14 October 2026, so far'],
  ['ACTIVITY_DAY_IN_RANGE.last-year', 'Activity, 30 December 2025'],
  ['REST_NIGHT_POOR', 'Rest, last night to 14 October 2026'],
  ['REST_NIGHT_POOR.two-reasons', 'Rest, night to 31 December 2025'],
  ['REST_TODAY_IN_PROGRESS', 'Rest, night to 14 October 2026, so far'],
  ['BARK_PERIOD_IN_RANGE', 'Barking, 12 – 18 October 2026'],
  ['ACTIVITY_PERIOD_HIGH_DAYS.month-so-far', 'Activity, November 2026, so far'],
  ['VITAL_PERIOD_IN_RANGE.hrv-month-fluctuating', 'Heart rate variability, June 2026'],
]
for (const [id, title] of titles) {
  page(`titles an example: ${title}`, () => {
    const example = examplesOf(review).find((one) => one.id === id)
    assert.ok(example, id)
    const written = renderDates(titleOf(example))
    // Intl writes thin spaces between the two dates of a range.
    assert.is(written.replaceAll(/<[^>]*>/g, '').replaceAll('\u2009', ' '), title)
    assert.match(html, `${written} · <bdi>${example.petName.replace("'", '&#39;')}</bdi></h3>`)
    assert.match(html, `<p class="source"><code>${id}.json</code>`)
  })
}

/** Changes the approved answers, as if the format had been different at sign-off. */
function formerly(from: string, to: string): typeof answersSignedOff {
  const text = JSON.stringify(answersSignedOff)
  assert.match(text, from)
  return JSON.parse(text.replaceAll(from, to))
}

page('shows the word diff of an answer that changed although no wording did, and of the format of dates', () => {
  const spoken = reviewChanged([], signedOff, formerly(' PM', ' p.m.'), few)
  const example = examplesOf(spoken).find(({ id }) => id === 'BARK_TODAY')
  assert.is(statesOf(example), 'signed,changed,signed')
  const english = example?.texts[1]
  assert.equal(english?.wordings, [])
  assert.is(changesOf(english), '-p.m.,+PM')
  const written = renderReviewPage(spoken, '2026-10-14')
  assert.match(written, 'label-of-then. No wording changed: the rules did, or words that the program adds</p>')
  assert.match(written, 'The format of dates and times differs from the sign-off')
  const [dates] = spoken.dates
  assert.is(dates?.locale, 'en-US')
  assert.not.match(dates?.changes.map(({ text }) => text).join('') ?? '', /January|AM/)
})

page('marks a sample that is new or changed since sign-off', () => {
  const { BARK_TODAY: bark, REST_NIGHT_GOOD: _new, ...others } = answersSignedOff
  const en = { ...bark?.['en-US'], sourceHash: 'of another' }
  const answers = { ...others, BARK_TODAY: { ...bark, 'en-US': en } } as typeof answersSignedOff
  const found = reviewChanged([], signedOff, answers, few)
  const samples = (id: string) =>
    examplesOf(found)
      .find((one) => one.id === id)
      ?.texts.map(({ sample, state }) => `${sample} ${state}`)
  assert.equal(samples('REST_NIGHT_GOOD'), ['new unsigned', 'new unsigned', 'new unsigned'])
  assert.equal(samples('BARK_TODAY'), ['undefined signed', 'changed unsigned', 'undefined signed'])
  const written = renderReviewPage(found, '2026-10-14')
  assert.match(written, '<p class="sign unsigned">New sample, not signed off yet</p>')
  assert.match(written, '<p class="sign unsigned">Sample changed since sign-off</p>')
})

page.run()
