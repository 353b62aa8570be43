// Prints the verdicts of validators on payloads: validators.mjs SCHEMA PAYLOADS
import { readFileSync } from 'node:fs'
import { Validator } from '@cfworker/json-schema'
import { registerSchema, validate } from '@hyperjump/json-schema/draft-2020-12'
import jsonschema from 'jsonschema'

const [schema, payloads] = process.argv.slice(2).map((file) => JSON.parse(readFileSync(file, 'utf8')))
registerSchema(schema, schema.$id)
const hyperjump = await validate(schema.$id)
const cfworker = new Validator(schema, '2020-12')
const plain = new jsonschema.Validator()
const judges = {
  '@hyperjump/json-schema': (payload) => hyperjump(payload).valid,
  '@cfworker/json-schema': (payload) => cfworker.validate(payload).valid,
  jsonschema: (payload) => plain.validate(payload, schema).valid,
}
const verdicts = Object.fromEntries(Object.entries(judges).map(([name, judge]) => [name, payloads.map(judge)]))
console.log(JSON.stringify(verdicts))
