import { readdirSync, readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Database } from '../../src/adapters/sql/sqlite/driver.js'
import { Interrupted } from '../../src/commands/command.js'
import { runCompare } from '../../src/commands/provider/compare.js'
import { isSvcError } from '../../src/errors.js'
import { openTemporaryFolder } from '../helpers/temporary.js'
import { openai } from '../helpers/upstreams/openai.js'
import { startUpstream, type Upstream } from '../helpers/upstreams/upstream.js'

const compare = suite('comparison of models')
const place = openTemporaryFolder()
const photo = new URL('../../fixtures/photos/dog.jpg', import.meta.url).pathname
const gateway = 'openai-compatible:openai/gpt-image-2.6-flare'
let upstream: Upstream
compare.before(async () => {
  upstream = await startUpstream(openai)
  const model = { model: gateway, baseUrl: upstream.baseUrl, apiKey: 'env:COMPARE_KEY', price: '0.04usd/image' }
  place.write('svc.config.json', JSON.stringify({ models: { 'svc-avatar': model, 'svc-animation': 'stub' } }))
  process.env.COMPARE_KEY = upstream.key
})
compare.after(async () => {
  delete process.env.COMPARE_KEY
  await upstream.close()
  place.close()
})

/** Runs the command; returns its exit code, its document and its page. */
async function run(flags: Partial<Parameters<typeof runCompare>[0]>) {
  const write = process.stdout.write
  let printed = ''
  process.stdout.write = ((text: string) => {
    printed += text
    return true
  }) as typeof write
  const out = `${place.folder}/page.html`
  const defaults = { photo, poses: 'sitting', species: 'dog', locale: 'en-US', json: true, out } as const
  const dataDir = place.folder
  try {
    const code = await runCompare({ ...defaults, dataDir, models: 'stub', ...flags })
    return { code, document: JSON.parse(printed), page: readFileSync(out, 'utf8') }
  } finally {
    process.stdout.write = write
  }
}

async function refusalOf(flags: Parameters<typeof run>[0]): Promise<string> {
  const error = await run(flags).catch((thrown: unknown) => thrown)
  assert.ok(isSvcError(error) && error.code === 'invalid_request', String(error))
  return (error as Error).message
}

const readLedger = () => {
  const database = new Database(`${place.folder}/svc.db`, { readonly: true })
  try {
    return database.prepare('select * from usage_ledger order by created_at').all() as Record<string, unknown>[]
  } finally {
    database.close()
  }
}

compare('draws with the stub for nothing, without a database', async () => {
  const { code, document, page } = await run({ poses: 'sitting,walking' })
  assert.is(code, 0)
  assert.is(document.cost, 0)
  assert.equal(
    document.pictures.map(({ model, pose, ok }: Record<string, unknown>) => [model, pose, ok]),
    [
      ['stub', 'sitting', true],
      ['stub', 'walking', true],
    ],
  )
  assert.is(page.split('<img').length - 1, 3)
  // The page needs nothing from elsewhere.
  assert.not.match(page, /(?:src|href)="(?!data:)|@import|url\(|<script/)
})

compare('shows the pictures, words, times and prices of several models, and books what was paid', async () => {
  const { code, document, page } = await run({ models: `stub,${gateway}`, poses: 'sitting,walking', budget: '0.10usd' })
  assert.is(code, 0)
  assert.is(document.cost, 0.08)
  assert.is(upstream.count('buy'), 2)
  for (const text of [
    'openai/<wbr>gpt-image-2.6-flare',
    '$0.04',
    '$0.08',
    'Make a portrait of the one dog',
    '2 of 2',
  ]) {
    assert.ok(page.includes(text), text)
  }
  // The second pose of the model has the first as a reference, so its words differ.
  assert.is(page.split('<summary>').length - 1, 3)
  assert.equal(
    readLedger().map(({ key_id, cost_micros, certain, delivered }) => [key_id, cost_micros, certain, delivered]),
    Array.from({ length: 2 }, () => ['provider-compare', 40_000, 1, 1]),
  )
})

compare('warns of a model that its vendor has switched off', async () => {
  const { write } = process.stderr
  let told = ''
  process.stderr.write = ((text: string) => {
    told += text
    return true
  }) as typeof write
  upstream.plan('buy', upstream.error(404, 'model_not_found', 'The model does not exist.'))
  const price = ['openai-compatible:gpt-image-1=0.04usd/image']
  try {
    await run({ models: 'openai-compatible:gpt-image-1', budget: '1usd', price })
  } finally {
    process.stderr.write = write
  }
  assert.is(told, 'svc: gpt-image-1 was switched off on 2026-10-23: take openai-compatible:gpt-image-2.6-sunburst.\n')
})

compare('goes on if a model fails, and says why', async () => {
  upstream.plan('buy', upstream.error(404, 'model_not_found', 'The model <b> does not exist.'))
  const { code, document, page } = await run({ models: `${gateway},stub`, budget: '1usd' })
  assert.is(code, 3)
  assert.match(document.pictures[0].problem, /^model_unavailable: .*does not exist/)
  assert.match(page, /class="problem">model_unavailable: [^<]*&lt;b&gt; does not exist/)
  assert.is(readLedger().length, 2)
})

compare('shows what was made before Ctrl-C', async () => {
  const out = `${place.folder}/stopped.html`
  const failed = run({ models: gateway, poses: 'sitting,walking', budget: '1usd', out }).catch((error) => error)
  const first = await upstream.hold('buy')
  const second = upstream.hold('buy')
  first.release()
  await second
  process.emit('SIGINT', 'SIGINT')
  assert.instance(await failed, Interrupted)
  assert.match(readFileSync(out, 'utf8'), /alt="sitting, made by.*class="problem">stopped</s)
})

compare('keeps the page of another run if nothing is tried', async () => {
  const out = place.write('kept.html', 'the page of yesterday')
  const error = await run({ models: gateway, budget: '1usd', out, database: 'nothing' }).catch((thrown) => thrown)
  assert.instance(error, Error)
  assert.is(readFileSync(out, 'utf8'), 'the page of yesterday')
})

compare('books and shows the pictures of the others as one cannot be booked', async () => {
  const database = new Database(`${place.folder}/svc.db`)
  database.exec(`create trigger refuse before insert on usage_ledger when new.model = 'second'
    begin select raise(abort, 'this model is not booked'); end`)
  const before = readLedger().length
  const out = `${place.folder}/partial.html`
  const models = `openai-compatible:second,${gateway}`
  const poses = 'lying,sitting,walking,running'
  const price = ['openai-compatible:second=0.01usd/image']
  const error = await run({ models, poses, budget: '1usd', price, out }).catch((thrown: unknown) => thrown)
  database.exec('drop trigger refuse')
  database.close()
  assert.instance(error, Error)
  assert.is(readLedger().length, before + 4)
  // Four of the one, and the one of the other that was bought first.
  assert.is(readFileSync(out, 'utf8').split(', made by').length - 1, 5)
  assert.equal(
    readdirSync(place.folder).filter((name) => name.endsWith('.partial')),
    [],
  )
})

for (const [what, flags, expected] of [
  [
    'the URL of a gateway is unknown',
    { models: 'openai-compatible:x', budget: '1usd', config: '/nowhere.json' },
    /URL of openai-compatible:x is not known: make it the model/,
  ],
  ['a budget is missing', { models: gateway }, /buys 1 picture for \$0\.04: allow it with --budget 0\.04usd/],
  [
    'the budget is too small',
    { models: gateway, poses: 'sitting,lying', budget: '0.07usd' },
    /2 pictures cost \$0\.08, more than/,
  ],
  ['the budget is not an amount', { models: gateway, budget: 'much' }, /--budget takes an amount/],
  [
    'a price is unknown',
    { models: 'openai:gpt-image-2.6-flare', budget: '1usd' },
    /price of openai:gpt-image-2\.6-flare is not known/,
  ],
  ['a key is missing', { models: 'fal:google/nano-banana-2.1/edit', budget: '1usd' }, /FAL_KEY is not set/],
  ['a model is unknown', { models: 'opnai:x' }, /--models names a provider that is not known; did you mean "openai"/],
  ['a pose is unknown', { poses: 'siting' }, /--poses has "siting"; it takes lying, sitting, walking or running/],
  ['the photo is missing', { photo: '/nowhere.jpg' }, /--photo takes a JPEG/],
  ['a price is for another model', { price: ['stub=1'] }, /--price takes a model of --models/],
] as const) {
  compare(`buys nothing if ${what}`, async () => {
    const bought = upstream.count('buy')
    assert.match(await refusalOf(flags), expected)
    assert.is(upstream.count('buy'), bought)
  })
}

compare.run()
