import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import * as assert from 'uvu/assert'
import { describeDemo, openWithKey, toPhotoPath, waitForText } from '../helpers/demo-visits.js'

const { inBrowser, run } = describeDemo('demo page, with a photo of one’s own')

for (const [file, reason] of [
  ['not-an-image.jpg', 'source_image'],
  ['too-small.jpg', '256'],
] as const) {
  inBrowser(
    `says what is wrong with ${file}, as the server does`,
    async (visit) => {
      const { page } = visit
      await openWithKey(visit)
      await page.locator('#file').setInputFiles(toPhotoPath(file))
      await page.getByLabel('Name').first().fill('Tom')
      await page.getByText('Cat', { exact: true }).click()
      await page.getByRole('button', { name: 'Draw four poses' }).click()
      await waitForText(page, '#photo .controls > .problem', reason)
      await waitForText(page, '#photo .controls > .problem', /422 invalid_request request req_\w+/)
      // Another pet makes it forgotten.
      await page.getByRole('button', { name: /^Rex/ }).click()
      await waitForText(page, '#photo .status', 'Rex is ready in four poses.')
      assert.is(await page.locator('#photo .controls > .problem').textContent(), '')
    },
    { expects: /status of 422/ },
  )
}

inBrowser('keeps a hostile name of a pet as text, in the page and in the shell', async (visit) => {
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
