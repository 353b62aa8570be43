import * as assert from 'uvu/assert'
import { faultFieldNames } from '../../../src/faults/fields.js'
import { describeDemo, openWithKey, waitForText } from '../../helpers/demo-visits.js'
import { findFaults } from '../../helpers/page-faults.js'

const { inBrowser, run } = describeDemo('demo page, faults')

inBrowser(
  'adds and removes fault rules, and lists every field of a rule, for an admin key',
  async (visit) => {
    const { page, app } = visit
    await openWithKey(visit)
    await page.getByText('Make calls and pictures fail').click()
    const rule = page.getByLabel('Rule')
    await rule.fill('route=GET /v1/models,status=53')
    await page.locator('#faults').getByRole('button', { name: 'Add' }).click()
    await waitForText(page, '#faults .problem', /`status` is "53"; it must be 401/)
    await rule.fill('route=GET /v1/models,status=503,times=1')
    await rule.press('Enter')
    await waitForText(page, '#fault-list', /route=GET \/v1\/models,status=503,times=1.*active, fired 0/)
    assert.is(await rule.inputValue(), '')
    const { status } = await app.get('/v1/models', { authorization: `Bearer ${app.key}` })
    assert.is(status, 503)
    await waitForText(page, '#fault-list', /spent, fired 1/)
    await page.getByRole('button', { name: 'Remove route=GET /v1/models,status=503,times=1' }).click()
    await page.locator('#fault-list li').waitFor({ state: 'detached' })

    await page.getByText('Fields of a rule').click()
    const fields = await page.locator('#fault-fields dt').allInnerTexts()
    assert.equal(
      fields.map((field) => field.replace(/=.*/, '')),
      faultFieldNames,
    )
    assert.match(await page.locator('#fault-fields').innerText(), 'drop=WHEN')
    assert.equal(await findFaults(page), [])
  },
  { expects: /status of 422/ },
)

run()
