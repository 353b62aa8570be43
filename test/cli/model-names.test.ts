import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { findKnownModel, readModelList } from '../../src/models/known-models.js'
import { type ProviderName, providerNames } from '../../src/models/providers.js'
import { openSession } from '../helpers/svc-session.js'

const names = suite('names of models')
const session = openSession()
names.after(session.close)
const root = fileURLToPath(new URL('../../', import.meta.url))
const pages = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.md'))
  .map((file) => join('src', file))

const commands = [
  ...['init --help', 'init', 'init --avatar no-model', 'init --avatar stub --animation no-model'],
  ...['provider --help', 'provider list', 'provider list --json', 'provider check --help', 'doctor --help'],
]
async function print(command: string): Promise<string> {
  const { stdout, stderr } = await session.run(command.split(' '))
  return stdout + stderr
}
const texts: readonly (readonly [string, () => string | Promise<string>])[] = [
  ...['README.md', ...pages].map((file) => [file, () => readFileSync(join(root, file), 'utf8')] as const),
  ...commands.map((command) => [`svc ${command}`, () => print(command)] as const),
]
const named = new RegExp(`(?<![\\w/-])(${[...providerNames].sort().reverse().join('|')}):([a-z][\\w./-]*\\w)`, 'g')
const ended = readModelList()
  .known.filter(({ shutdown }) => shutdown !== undefined)
  .map(({ model }) => model)

for (const [name, read] of texts) {
  names(`${name} proposes no model that is switched off or unknown`, async () => {
    const text = await read()
    assert.ok(text.length > 0)
    for (const [whole, provider, model] of text.matchAll(named)) {
      const known = findKnownModel(provider as ProviderName, model ?? '')
      assert.ok(known !== undefined && known.shutdown === undefined, `${name} names ${whole}`)
    }
    const found = ended.filter((model) =>
      new RegExp(`(?<![\\w.-])${model.replaceAll('.', '\\.')}(?![\\w.-]*\\w)`).test(text),
    )
    assert.equal(found, [])
  })
}

names('provider list says that Google makes no clips', async () => {
  assert.match(
    await print('provider list'),
    /^google {2}pictures, such as google:gemini-nano-banana-2\.1\n {2}makes no clips for now: /m,
  )
  const { providers } = JSON.parse(await print('provider list --json'))
  const google = providers.find(({ provider }: { provider: string }) => provider === 'google')
  assert.equal([google.makes, google.makes_no_more], [['pictures'], ['clips']])
})

names.run()
