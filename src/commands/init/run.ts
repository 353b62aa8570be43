import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { checkSetup } from '../../app/check-model.js'
import type { Fault } from '../../config/faults.js'
import { listModels, readOperationWithoutKeys } from '../../config/models.js'
import { loadConfig } from '../../config.js'
import { createDataDir } from '../../data-dir.js'
import { SvcError } from '../../errors.js'
import { printJson, printLines } from '../client/run.js'
import type { CommandResult } from '../command.js'
import type { InitFlags } from '../init.js'
import { reasonOf } from '../input/reason.js'
import { type Answers, readAnswers } from './answers.js'
import { refuseAnswers } from './faults.js'

/** `svc init`: asks for what the flags leave open, and writes the operator's file if it is valid. */
export async function runInit(flags: InitFlags): Promise<CommandResult> {
  const { configFile, findVariable, dataDir } = loadConfig({ ...flags, provider: 'stub' })
  if (existsSync(configFile) && !flags.force) {
    throw new SvcError('conflict', `${configFile} is there already; --force writes over it.`)
  }
  const answers = await readAnswers(flags)
  const content = render(answers)
  const refuse = (faults: readonly Fault[]) => refuseAnswers(answers, faults)
  const operation = readOperationWithoutKeys(configFile, findVariable, { content, refuse })
  if (dirname(configFile) === dataDir) createDataDir(dataDir)
  write(configFile, content)
  const steps = listModels(operation).flatMap((model) =>
    checkSetup(model).flatMap(({ check, ok, detail }) => {
      if (ok) return []
      return check === 'key' ? `export ${model.variable}=…   (the key for ${model.settings.alias})` : detail
    }),
  )
  const next = [...new Set(steps)]
  if (flags.json) printJson({ config: configFile, next })
  else printLines([`Written: ${configFile}`, ...next.map((step) => `  ${step}`), 'Then: svc provider check, svc serve'])
  return 0
}

function render({ models, perPet }: Answers): string {
  const file = { models, ...(perPet === undefined ? {} : { budgets: { perPet } }) }
  return `// Who makes pictures and clips. Keys stay in the environment; svc provider check tells what is missing.\n${JSON.stringify(file, null, 2)}\n`
}

function write(file: string, content: string): void {
  const draft = `${file}.${process.pid}`
  try {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(draft, content)
    renameSync(draft, file)
  } catch (cause) {
    rmSync(draft, { force: true })
    throw new SvcError('unavailable', `${file} cannot be written: ${reasonOf(cause)}.`, { cause })
  }
}
