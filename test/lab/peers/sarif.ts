import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runSvc } from '../../helpers/svc.js'
import { missing, root } from './install.js'
import { type Check, toolPath } from './tools.js'

const program = toolPath('@microsoft/sarif-multitool-linux/Sarif.Multitool')

interface Finding {
  readonly ruleId: string
  readonly message: { readonly id?: string; readonly arguments?: readonly string[] }
}

/** Validates a log, and returns the errors and warnings. The program is self-contained: it needs no .NET. */
function validate(log: string, folder: string): readonly Finding[] {
  const output = join(folder, 'findings.sarif')
  const args = ['validate', log, '--rule-kind', 'Sarif;Ghas', '--output', output, '--log', 'ForceOverwrite', '--quiet']
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd: folder,
    encoding: 'utf8',
    // Without this, it needs the library ICU.
    env: { ...process.env, DOTNET_SYSTEM_GLOBALIZATION_INVARIANT: '1' },
    timeout: 120_000,
  })
  if (status !== 0) throw new Error(`${error?.message ?? ''}${stdout}${stderr}`)
  return JSON.parse(readFileSync(output, 'utf8')).runs[0].results
}

export const sarifChecks: Readonly<Record<string, Check>> = {
  'sarif: sarif-multitool has no findings in a log': ({ folder }) => {
    if (!existsSync(program)) throw missing('sarif-multitool is installed on Linux on x64 only')
    // The packages are installed without their scripts, which set this.
    chmodSync(program, 0o755)
    const log = join(folder, 'log.sarif')
    const { stdout } = runSvc([
      ...['validate', '--format', 'sarif'],
      ...['fixtures/invalid', 'fixtures/warnings'].map((name) => join(root, name)),
    ])
    writeFileSync(log, stdout)
    const found = validate(log, folder)
    if (found.length > 0) throw new Error(found.map((finding) => JSON.stringify(finding)).join('\n'))
    const { runs } = JSON.parse(stdout)
    const count = runs[0].results.length
    if (count === 0) throw new Error('the log has no results')
    // The rules of both kinds find what is taken away.
    delete runs[0].tool.driver.rules[0].fullDescription
    delete runs[0].tool.driver.informationUri
    writeFileSync(log, JSON.stringify({ ...JSON.parse(stdout), runs }))
    const rules = validate(log, folder).map(({ ruleId }) => ruleId)
    if (!rules.includes('GH2012') || !rules.includes('SARIF2005')) throw new Error(`it finds only ${rules.join(', ')}`)
    return `${count} results`
  },
}
