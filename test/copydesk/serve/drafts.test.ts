import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { rebaseDraft } from '../../../src/copydesk/edit/draft.js'
import { openDrafts } from '../../../src/copydesk/serve/drafts.js'
import { reviewTexts } from '../../helpers/review.js'
import { openTemporaryFolder } from '../../helpers/temporary.js'

const drafts = suite('drafts of the review page')
const place = openTemporaryFolder()
drafts.after(() => place.close())

const id = 'REST_NIGHT_POOR'
const english = reviewTexts.patterns['en-US'][id] ?? ''
const better = english.replace('poorly', 'badly')

drafts('offers the draft of a killed program under any process ID, to its user alone', async () => {
  const folder = join(place.folder, 'svc')
  const first = openDrafts(folder, 'checkout/catalog')
  await first.change(id, 'en-US', `${better}\n `)
  const next = openDrafts(folder, 'checkout/catalog')
  assert.is(next.list().get(id)?.['en-US'], better)
  assert.is(openDrafts(folder, 'other/catalog').list().size, 0)
  const kept = join(folder, 'drafts')
  const [name = ''] = readdirSync(kept)
  assert.equal(
    [kept, join(kept, name)].map((path) => statSync(path).mode & 0o777),
    [0o700, 0o600],
  )
  // Both change one draft.
  await next.change(id, 'es', 'Mal.')
  await first.change(id, 'en-US', null)
  assert.equal([next.list().get(id)?.es, next.list().get(id)?.['en-US']], ['Mal.', english])
  await first.change(id, 'es', null)
  assert.is(next.list().size, 0)
})

drafts('refuses a text that is not in the catalog', async () => {
  const message = await openDrafts(place.folder, 'catalog')
    .change('NO_SUCH_TEXT', 'es', 'x')
    .catch((error: Error) => error.message)
  assert.match(String(message), 'The text "NO_SUCH_TEXT" does not exist.')
})

drafts('names the file if a person broke it', async () => {
  const folder = join(place.folder, 'broken')
  await openDrafts(folder, 'catalog').change(id, 'es', 'Mal.')
  const [name = ''] = readdirSync(join(folder, 'drafts'))
  place.write(`broken/drafts/${name}`, '{ "a": 1 ')
  assert.throws(() => openDrafts(folder, 'catalog').list(), name)
})

drafts('takes unchanged texts of a draft from the current catalog', () => {
  const before = { 'zh-CN': 'a', 'en-US': 'b', es: 'c' }
  const now = { 'zh-CN': 'a2', 'en-US': 'b2', es: 'c' }
  const edited = { 'zh-CN': 'a', 'en-US': 'mine', es: 'mine too' }
  assert.equal(rebaseDraft(edited, before, now), { 'zh-CN': 'a2', 'en-US': 'mine', es: 'mine too' })
})

drafts.run()
