import { readdirSync, readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { payloadSchema, rules } from '../../src/insight/index.js'
import { checkStructure } from '../../src/insight/structure.js'
import { addPlaceholders, buildPayload, combinations } from '../helpers/payloads.js'

const schema = suite('payload schema')
const fixtures = new URL('../../fixtures/', import.meta.url)
const readFixtures = (folder: string) =>
  readdirSync(new URL(`${folder}/`, fixtures))
    .filter((name) => name !== 'payload-json.json' && name !== 'index.json')
    .map((name) => ({ name, payload: JSON.parse(readFileSync(new URL(`${folder}/${name}`, fixtures), 'utf8')) }))

const accepts = new Ajv2020({ strict: true }).compile(payloadSchema)

schema('is a document that a strict validator compiles and finds valid', () => {
  assert.is(payloadSchema.$schema, 'https://json-schema.org/draft/2020-12/schema')
  assert.ok(new Ajv2020({ strict: true }).validateSchema(payloadSchema))
})

schema('accepts every valid payload', () => {
  for (const { metric, viewWindow } of combinations) {
    const payload = buildPayload({ metric, viewWindow })
    for (const sent of [payload, addPlaceholders(payload), buildPayload({ metric, viewWindow, rating: null })]) {
      assert.ok(accepts(sent), `${metric} ${viewWindow} ${JSON.stringify(accepts.errors)}`)
    }
  }
  for (const { name, payload } of readFixtures('warnings')) assert.ok(accepts(payload), name)
})

schema('refuses exactly the fixtures whose structure is wrong', () => {
  for (const { name, payload } of readFixtures('invalid')) {
    const isSound = typeof payload === 'object' && checkStructure(payload).violations.length === 0
    assert.is(accepts(payload), isSound, `${name} ${JSON.stringify(accepts.errors)}`)
  }
})

schema('names a rule at every node that can fail', () => {
  const ids = new Set(rules.map(({ id }) => id))
  const lists = [...JSON.stringify(payloadSchema).matchAll(/"\$comment":"rule: ([^"]*)"/g)]
  const named = lists.flatMap(([, list = '']) => list.split(', '))
  assert.ok(named.length > 100)
  for (const id of named) assert.ok(ids.has(id), id)
})

schema('describes every member', () => {
  const bare: string[] = []
  const definitions = payloadSchema.$defs as Record<string, { description?: string }>
  const visit = (node: unknown, path: string) => {
    if (typeof node !== 'object' || node === null) return
    for (const [name, child] of Object.entries((node as { properties?: object }).properties ?? {})) {
      const target = String(child.$ref).replace('#/$defs/', '')
      const { description } = child.$ref === undefined ? child : definitions[target]
      if (!path.includes('/if') && description === undefined) bare.push(`${path}/${name}`)
    }
    for (const [name, child] of Object.entries(node)) visit(child, `${path}/${name}`)
  }
  visit(payloadSchema, '')
  const isKnown = /\/(then|\$defs\/[\w-]+)\/(insightContext|metrics|period)$|\/allOf\//
  for (const path of bare) assert.match(path, isKnown)
})

schema.run()
