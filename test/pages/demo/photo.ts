import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import * as assert from 'uvu/assert'
import { describeDemo, openWithKey, toPhotoPath, waitForText } from '../../helpers/demo-visits.js'

const { inBrowser, run } = describeDemo('demo page, own photo')

for (const [file, warning, reason] of [
  ['not-an-image.jpg', 'cannot show the file', 'source_image'],
  ['too-small.jpg', /has \d+ × \d+ pixels; its shorter side needs at least 256\./, '256'],
] as const) {
  inBrowser(
    `warns about ${file}, and shows the error of the server`,
    async (visit) => {
      const { page } = visit
      await openWithKey(visit)
      await page.locator('#file').setInputFiles(toPhotoPath(file))
      await page.getByLabel('Name').first().fill('Tom')
      await page.getByText('Cat', { exact: true }).click()
      await waitForText(page, '#own-warning', warning)
      await page.getByRole('button', { name: 'Send it anyway' }).click()
      await waitForText(page, '#photo .controls > .problem', reason)
      await waitForText(page, '#photo .controls > .problem', /422 invalid_request request req_\w+/)
      // The form stays open for a correction, and no pet is added.
      assert.is(await page.getByLabel('Name').first().inputValue(), 'Tom')
      assert.is(await page.locator('button.pet').count(), 2)
      await page.locator('#file').setInputFiles(toPhotoPath('cat.jpg'))
      await page.getByRole('button', { name: 'Draw four poses' }).click()
      await waitForText(page, '#photo .status', 'Tom is ready in four poses.')
      assert.is(await page.locator('#own-form').isVisible(), false)
      assert.is(await page.locator('button.pet').count(), 3)
      await page.locator('button.pet:focus').filter({ hasText: 'Tom' }).waitFor()
      assert.is(await page.locator('#photo .controls > .problem').textContent(), '')
    },
    { expects: /status of 422/ },
  )
}

inBrowser(
  'forgets a rejected photo once another pet is chosen',
  async (visit) => {
    const { page } = visit
    await openWithKey(visit)
    await page.locator('#file').setInputFiles(toPhotoPath('too-small.jpg'))
    await page.locator('#canvas img[alt="Your photo"]').waitFor()
    await page.getByText('Cat', { exact: true }).click()
    await page.getByRole('button', { name: 'Send it anyway' }).click()
    await waitForText(page, '#photo .controls > .problem', '422')
    await page.getByRole('button', { name: /^Rex/ }).click()
    await waitForText(page, '#photo .status', 'Rex is ready in four poses.')
    assert.is(await page.locator('#photo .controls > .problem').textContent(), '')
    assert.is(await page.locator('#own-form').isVisible(), false)
    assert.is(await page.locator('button.pet').count(), 2)
  },
  { expects: /status of 422/ },
)

inBrowser('warns in the form that a file cannot be shown as a picture, until another file is chosen', async (visit) => {
  const { page } = visit
  await openWithKey(visit)
  for (const [what, name, content] of [
    ['a text file', 'notes.txt', 'Rex is a good dog.'],
    ['an empty file', 'empty.jpg', ''],
    ['a HEIC photo, which Chromium cannot show', 'rex.heic', '\0\0\0\x18ftypheic\0\0\0\0mif1heic'],
  ] as const) {
    await page.locator('#file').setInputFiles({ name, mimeType: '', buffer: Buffer.from(content, 'latin1') })
    await waitForText(page, '#own-warning', 'This browser cannot show the file as a picture.')
    assert.is(await page.locator('#own-preview').isVisible(), false, what)
    await page.locator('#file').setInputFiles(toPhotoPath('cat.jpg'))
    await page.locator('#own-preview').waitFor()
    assert.is(await page.locator('#own-warning').textContent(), '', what)
  }
})

inBrowser(
  'has title, first button and poses above the fold of a laptop, also with an own photo on stage',
  async (visit) => {
    const { page } = visit
    const findBelow = async (selectors: readonly string[]) => {
      const ends = await Promise.all(
        selectors.map(async (selector) => {
          const box = await page.locator(selector).first().boundingBox()
          return box !== null && box.y >= 0 && box.y + box.height <= 800 ? [] : [[selector, box?.y, box?.height]]
        }),
      )
      return ends.flat()
    }
    await openWithKey(visit)
    assert.equal(await findBelow(['h1', 'button.pet', '#thumbs']), [])
    await page.locator('#file').setInputFiles(toPhotoPath('cat.jpg'))
    await page.locator('#canvas img[alt="Your photo"]').waitFor()
    await page.locator('#own-preview').waitFor()
    assert.equal(await findBelow(['h1', '#own-form [type=submit]', '#thumbs']), [])
    assert.is(await page.evaluate('scrollY'), 0)
  },
  { viewport: { width: 1280, height: 800 } },
)

inBrowser('asks for the species of each own pet', async (visit) => {
  const { page } = visit
  await openWithKey(visit)
  const chosen = page.locator('#own-form input:checked')
  await page.locator('#file').setInputFiles(toPhotoPath('cat.jpg'))
  assert.is(await chosen.count(), 0)
  await page.getByRole('button', { name: 'Draw four poses' }).click()
  await page.locator('#own-form:has(input:invalid:focus)').waitFor()
  assert.is(await page.locator('button.pet').count(), 2)
  await page.getByText('Cat', { exact: true }).click()
  await page.getByRole('button', { name: 'Draw four poses' }).click()
  await waitForText(page, '#photo .status', 'Your pet is ready in four poses.')
  await page.locator('#file').setInputFiles(toPhotoPath('dog.jpg'))
  assert.is(await chosen.count(), 0)
})

inBrowser('treats a hostile pet name as text, in the page and in the shell', async (visit) => {
  const { page } = visit
  const name = `<img src=x onerror="alert(1)"> '; touch /tmp/svc-hostile; echo "$(id)`
  await openWithKey(visit)
  await page.locator('#file').setInputFiles(toPhotoPath('cat.jpg'))
  await page.getByLabel('Name').first().fill(name)
  await page.getByText('Cat', { exact: true }).click()
  await page.getByRole('button', { name: 'Draw four poses' }).click()
  await waitForText(page, '#photo .status', `${name} is ready in four poses.`)
  await page.getByRole('button', { name: 'Write the cards' }).click()
  await waitForText(page, '#cards', name)
  assert.is(await page.locator('img[src=x]').count(), 0)
  await page.reload()
  await waitForText(page, '#photo .status', `${name} is ready in four poses.`)
  assert.is(await page.locator('img[src=x]').count(), 0)
  await page.getByRole('button', { name: 'Write the cards' }).click()
  await waitForText(page, '#cards', name)
  await page.locator('#home .trace summary').click()
  const curl = await page.getByRole('group', { name: 'Request as curl' }).first().textContent()
  const { stdout } = await promisify(execFile)('sh', ['-c', `${curl}`.replace('curl', "printf '%s\\n'")])
  assert.match(stdout, `"pet_name":${JSON.stringify(name)}`)
})

run()
