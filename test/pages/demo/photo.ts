import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import sharp from 'sharp'
import * as assert from 'uvu/assert'
import { describeDemo, openWithKey, toPhotoPath, waitForText } from '../../helpers/demo-visits.js'

const { inBrowser, run } = describeDemo('demo page, own photo')

inBrowser('warns of odd files in a form above the fold', { viewport: { width: 1280, height: 800 } }, async (visit) => {
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
  await page.setViewportSize({ width: 320, height: 640 })
  assert.is(await page.evaluate('document.documentElement.scrollWidth'), 320)
  await page.setViewportSize({ width: 1280, height: 800 })

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

  const chosen = page.locator('#own-form input:checked')
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

inBrowser('sends a picture that the server does not accept, but the browser shows, as JPEG', {}, async (visit) => {
  const { page } = visit
  await openWithKey(visit)
  const buffer = await sharp(toPhotoPath('cat.jpg')).avif({ effort: 0 }).toBuffer()
  await page.locator('#file').setInputFiles({ name: 'rex.avif', mimeType: 'image/avif', buffer })
  await page.locator('#own-preview').waitFor()
  await page.getByText('Cat', { exact: true }).click()
  await page.getByRole('button', { name: 'Draw four poses' }).click()
  await waitForText(page, '#photo .status', 'Your pet is ready in four poses.')
})

inBrowser('shows why a photo is rejected; a hostile name stays text', { expects: /status of 422/ }, async (visit) => {
  const { page } = visit
  const name = `<img src=x onerror="alert(1)"> '; touch /tmp/svc-hostile; echo "$(id)`
  const problem = page.locator('#photo .controls > .problem')
  await openWithKey(visit)
  for (const [file, warning, reason] of [
    ['too-small.jpg', /has \d+ × \d+ pixels; its shorter side needs at least 256\./, '256'],
    ['not-an-image.jpg', 'cannot show the file', 'source_image'],
  ] as const) {
    await page.locator('#file').setInputFiles(toPhotoPath(file))
    await page.getByLabel('Name').first().fill(name)
    await page.getByText('Cat', { exact: true }).click()
    await waitForText(page, '#own-warning', warning)
    await page.getByRole('button', { name: 'Send it anyway' }).click()
    await waitForText(page, '#photo .controls > .problem', reason)
    await waitForText(page, '#photo .controls > .problem', /422 invalid_request request req_\w+/)
    // The form stays open for a correction, and no pet is added.
    assert.is(await page.getByLabel('Name').first().inputValue(), name)
    assert.is(await page.locator('button.pet').count(), 2)
  }
  await page.locator('#file').setInputFiles(toPhotoPath('cat.jpg'))
  await page.getByRole('button', { name: 'Draw four poses' }).click()
  await waitForText(page, '#photo .status', `${name} is ready in four poses.`)
  assert.is(await page.locator('#own-form').isVisible(), false)
  assert.is(await page.locator('button.pet').count(), 3)
  await page.locator('button.pet:focus').filter({ hasText: name }).waitFor()
  assert.is(await problem.textContent(), '')

  await waitForText(page, '#cards', name)
  assert.is(await page.locator('img[src=x]').count(), 0)
  await page.reload()
  await waitForText(page, '#photo .status', `${name} is ready in four poses.`)
  assert.is(await page.locator('img[src=x]').count(), 0)
  await page.getByRole('button', { name: 'Write the cards' }).click()
  await waitForText(page, '#cards', name)
  await page.locator('#home .trace > summary').click()
  const curl = await page.getByRole('group', { name: 'Request as curl' }).first().textContent()
  const { stdout } = await promisify(execFile)('sh', ['-c', `${curl}`.replace('curl', "printf '%s\\n'")])
  assert.match(stdout, `"pet_name":${JSON.stringify(name)}`)

  await page.locator('#file').setInputFiles(toPhotoPath('too-small.jpg'))
  await page.locator('#canvas img[alt="Your photo"]').waitFor()
  await page.getByText('Cat', { exact: true }).click()
  await page.getByRole('button', { name: 'Send it anyway' }).click()
  await waitForText(page, '#photo .controls > .problem', '422')
  await page.getByRole('button', { name: /^Rex/ }).click()
  await waitForText(page, '#photo .status', 'Rex')
  assert.is(await problem.textContent(), '')
  assert.is(await page.locator('#own-form').isVisible(), false)
  assert.is(await page.locator('button.pet').count(), 3)
})

run()
