// run: fleet
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readSceneLibrary } from '../../src/catalog/diary.js'
import { diaryVersions } from '../../src/media/diary-versions.js'
import { readError, startApp, type TestApp } from '../helpers/app.js'

const metadata = suite('diary scene catalog')
const path = '/v1/app-metadata/diary-image-library-scenes'
let app: TestApp
metadata.before(async () => {
  app = await startApp()
})
metadata.after(() => app.close())
const get = (query = '', key = app.key) => app.get(`${path}${query}`, { authorization: `Bearer ${key}` })

for (const query of ['', '?version=', '?version=V4.3']) {
  metadata(`answers ${JSON.stringify(query)} with the default library`, async () => {
    const response = await get(query)
    assert.is(response.status, 200)
    const { scenes, ...rest } = (await response.json()) as { scenes: Record<string, unknown>[] }
    assert.equal(rest, {
      version: 'V4.3',
      default_version: 'V4.3',
      versions: ['V4.3', 'V4.2', 'V4.1', 'V4.0', 'V3.0'],
      total: 63,
    })
    assert.is(scenes.length, 63)
    const thanksgiving = scenes.find((scene) => scene.scene_id === 'thanksgiving_day')
    assert.equal(thanksgiving, {
      scene_id: 'thanksgiving_day',
      version: 'V4.3',
      species: 'all',
      category: 'federal_holiday',
      recommended_pose: 'sitting',
      title: { 'zh-CN': '感恩节', 'en-US': 'Thanksgiving', es: 'Día de Acción de Gracias' },
      description: {
        'zh-CN': '满屋都是香味，最感恩的是一家人都在。',
        'en-US': 'The house smells wonderful, and everyone is home.',
        es: 'La casa huele de maravilla y toda la familia está junta.',
      },
      date_rule: { kind: 'nth_weekday', month: 11, weekday: 'thursday', nth: 4 },
    })
  })
}

metadata('answers each library, the same on each call', async () => {
  for (const version of diaryVersions) {
    const text = await (await get(`?version=${version}`)).text()
    assert.is(text, await (await get(`?version=${version}`)).text())
    const body = JSON.parse(text) as { version: string; total: number; scenes: { scene_id: string }[] }
    const ids = readSceneLibrary(version).scenes.map(({ scene_id: id }) => id)
    assert.equal([body.version, body.total, body.scenes.map(({ scene_id: id }) => id)], [version, ids.length, ids])
    // The matching rules and prompts of a scene are internal.
    assert.not.match(text, /"(facts|prompt|backdrop)"/)
  }
})

metadata('rejects an unknown or repeated version, and names the valid ones', async () => {
  for (const query of ['?version=V9.9', '?version=v4.3', '?version=diary-prompt-V4.3']) {
    const { status, code, message } = await readError(await get(query))
    assert.equal([status, code], [422, 'invalid_request'], query)
    assert.match(message, '`version` must be V4.3, V4.2, V4.1, V4.0 or V3.0')
  }
  assert.is((await readError(await get('?version=V4.3&version=V4.2'))).status, 422)
})

metadata.run()
