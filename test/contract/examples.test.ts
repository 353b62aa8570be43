// run: takes 7 s
import { readFileSync, writeFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import examples from '../../src/contract/examples.json' with { type: 'json' }
import { routes } from '../../src/contract/index.js'
import { buildOpenApi } from '../../src/contract/openapi.js'
import { recordExamples } from '../helpers/record-examples.js'

const documented = suite('examples of the OpenAPI document')
const document = JSON.parse(JSON.stringify(buildOpenApi(routes, '1.2.3', examples)))
const operations: Json[] = Object.values<object>(document.paths).flatMap(Object.values)

// biome-ignore lint/suspicious/noExplicitAny: the document is read member by member.
type Json = any

documented('are what a server answers', async () => {
  const recorded = `${JSON.stringify(await recordExamples(), null, 1)}\n`
  const file = new URL('../../src/contract/examples.json', import.meta.url)
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(file, recorded)
  const message =
    'src/contract/examples.json is not what a server answers; if that is meant, run UPDATE_GOLDEN=1 npm test'
  assert.is(recorded, readFileSync(file, 'utf8'), message)
})

documented('show every body, answer, parameter of a query, schema and error, and answers without a database', () => {
  for (const { operationId, parameters, requestBody, responses } of operations) {
    for (const { content = {} } of [requestBody ?? {}, responses['200'] ?? {}]) {
      for (const media of Object.values<Json>(content)) assert.ok(media.example !== undefined, operationId)
    }
    for (const { in: place, name, example } of parameters) {
      if (place === 'query') assert.ok(example !== undefined, `${operationId}: ${name}`)
    }
    const { content } = responses['503'] ?? {}
    if (content !== undefined) assert.ok(content['application/json'].example, operationId)
  }
  for (const [name, { examples: own }] of Object.entries<Json>(document.components.schemas))
    assert.ok(own?.length, name)
  for (const [name, { content }] of Object.entries<Json>(document.components.responses)) {
    assert.ok(content['application/json'].example, name)
  }
})

documented('are valid', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
  ajv.addSchema(document, 'https://svc.test/openapi.json')
  let count = 0
  const check = (node: Json, pointer: string): void => {
    if (typeof node !== 'object' || node === null) return
    const isShown = node.schema !== undefined && node.example !== undefined
    const own = isShown ? [node.example] : /^\/components\/schemas\/\w+$/.test(pointer) ? (node.examples ?? []) : []
    if (own.length > 0) {
      const isValid = ajv.compile({ $ref: `https://svc.test/openapi.json#${pointer}${isShown ? '/schema' : ''}` })
      for (const example of own) assert.ok(isValid(example), `${pointer}: ${JSON.stringify(isValid.errors)}`)
      count += own.length
    }
    for (const [key, child] of Object.entries(node))
      check(child, `${pointer}/${encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))}`)
  }
  check(document, '')
  assert.ok(count > 150, `${count} examples`)
})

documented.run()
