import { spawnSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { missing, root } from './install.js'
import { type Check, compileAndRun, copyProgram, type Peers, runProgram, runTool } from './tools.js'

const schemaFile = join(root, 'dist/health-detail-v3.schema.json')

export const schemaChecks: Readonly<Record<string, Check>> = {
  'schemas: types of json-schema-to-typescript': async ({ folder }) => {
    runTool('json2ts', ['-i', schemaFile, '-o', 'payload.ts', '--unreachableDefinitions'], { cwd: folder })
    copyProgram('json-schema-types.ts', folder)
    await compileAndRun('json-schema-types.ts', {}, folder)
  },
  'schemas: types of quicktype': async ({ folder }) => {
    cpSync(schemaFile, join(folder, 'schema.json'))
    const language = ['--lang', 'ts', '--src-lang', 'schema', '--just-types']
    runTool('quicktype', [...language, '-o', 'quicktype.ts', 'schema.json#/$defs/'], { cwd: folder })
    copyProgram('quicktype-types.ts', folder)
    await compileAndRun('quicktype-types.ts', {}, folder)
  },
  'schemas: validators in JavaScript agree with Ajv': (peers) => {
    const payloads = collectPayloads(peers)
    const verdicts = judge(payloads)
    copyProgram('validators.mjs', peers.folder)
    const output = runProgram(join(peers.folder, 'validators.mjs'), [schemaFile, payloads], { cwd: peers.folder })
    return compare(verdicts, JSON.parse(output))
  },
  'schemas: jsonschema for Python agrees with Ajv': (peers) => {
    const payloads = collectPayloads(peers)
    const { status, stdout, stderr } = spawnSync(
      'python3',
      [join(root, 'test/lab/peers/programs/validate.py'), schemaFile, payloads],
      {
        encoding: 'utf8',
        maxBuffer: 1 << 28,
      },
    )
    if (status === null || /ModuleNotFoundError/.test(stderr)) throw missing('Debian has it as python3-jsonschema')
    if (status !== 0) throw new Error(stderr)
    return compare(judge(payloads), JSON.parse(stdout))
  },
}

type Verdicts = readonly boolean[]

/** Writes every fixture into one file, and returns its name. */
function collectPayloads({ folder }: Peers): string {
  const folders = ['insight', 'warnings', 'invalid'].map((name) => join(root, 'fixtures', name))
  const texts = folders.flatMap((place) =>
    readdirSync(place)
      .filter((name) => name.endsWith('.json') && name !== 'index.json')
      .sort()
      .map((name) => readFileSync(join(place, name), 'utf8')),
  )
  const file = join(folder, 'payloads.json')
  writeFileSync(file, `[${texts.filter(isJson).join(',')}]`)
  return file
}

/** One fixture is not JSON on purpose. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function judge(payloads: string): Verdicts {
  const accepts = new Ajv2020({ strict: true }).compile(JSON.parse(readFileSync(schemaFile, 'utf8')))
  return JSON.parse(readFileSync(payloads, 'utf8')).map((payload: unknown) => accepts(payload))
}

function compare(expected: Verdicts, found: Readonly<Record<string, Verdicts>>): string {
  const valid = expected.filter((verdict) => verdict).length
  for (const [name, verdicts] of Object.entries(found)) {
    const different = expected.flatMap((verdict, index) => (verdicts[index] === verdict ? [] : [index]))
    if (different.length > 0) throw new Error(`${name} judges payloads ${different.join(', ')} differently`)
  }
  return `${Object.keys(found).join(', ')}: ${expected.length} payloads, ${valid} of them valid`
}
