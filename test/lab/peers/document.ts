import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { root } from './install.js'
import { type Check, runTool, toolPath } from './tools.js'

/** The retired operation answers 410 and never succeeds; nothing else is excused. */
const excused = ['operation-2xx-response', 'operation-success-response']

interface RedoclyProblem {
  readonly ruleId: string
  readonly message: string
  readonly location: readonly { readonly pointer?: string }[]
}

export const documentChecks: Readonly<Record<string, Check>> = {
  'document: redocly recommended': ({ folder, document }) => {
    const output = runTool('redocly', ['lint', '--extends', 'recommended', '--format', 'json', document], {
      cwd: folder,
    })
    const { problems } = JSON.parse(output.slice(output.indexOf('{'))) as { problems: RedoclyProblem[] }
    const found = problems.filter(({ ruleId, location }) => !isExcused(ruleId, location[0]?.pointer ?? ''))
    if (found.length > 0) throw new Error(found.map(({ ruleId, message }) => `${ruleId}: ${message}`).join('\n'))
  },
  'document: spectral:oas': ({ folder, document }) => {
    writeFileSync(join(folder, 'spectral.yaml'), 'extends: ["spectral:oas"]\n')
    const output = runTool('spectral', ['lint', '--ruleset', 'spectral.yaml', '--format', 'json', document], {
      cwd: folder,
    })
    const problems = JSON.parse(output.slice(output.indexOf('['))) as {
      code: string
      message: string
      path: string[]
    }[]
    const found = problems.filter(({ code, path }) => !isExcused(code, path.join('/')))
    if (found.length > 0) throw new Error(found.map(({ code, message }) => `${code}: ${message}`).join('\n'))
  },
  'package: knip finds every import declared, and every dependency used': () => {
    const config = join(root, 'test/lab/peers/knip.jsonc')
    runTool('knip', ['--config', config, '--include', 'dependencies,unlisted,unresolved'], { cwd: root })
  },
  'document: every pattern compiles in RE2': ({ document }) => {
    const { RE2 } = createRequire(import.meta.url)(toolPath('re2-wasm')) as {
      RE2: new (p: string, f: string) => RegExp
    }
    const patterns = new Set<string>()
    JSON.parse(readFileSync(document, 'utf8'), (key, value) => {
      if (key === 'pattern' && typeof value === 'string') patterns.add(value)
      return value
    })
    for (const pattern of patterns) new RE2(pattern, 'u')
    return `${patterns.size} patterns`
  },
}

const isExcused = (rule: string, place: string) => excused.includes(rule) && /ai-insights.{1,2}generate/.test(place)
