import { type Check, checkLive, checkReachable, checkSetup, estimateLive } from '../../app/check-model.js'
import { type ConfiguredModel, readOperationWithoutKeys } from '../../config/models.js'
import { formatAmount } from '../../config/money.js'
import { type Config, loadConfig } from '../../config.js'
import { SvcError } from '../../errors.js'
import { type ConfiguredAlias, configuredAliases } from '../../ports/models.js'
import { findNearest } from '../../spelling.js'
import { printJson, printLines, untilInterrupted } from '../client/run.js'
import type { CommandResult } from '../command.js'
import type { CheckFlags } from '../provider.js'

interface Report {
  readonly alias: ConfiguredAlias
  /** `provider:model`, or `stub`. */
  readonly model: string
  readonly price: string | null
  readonly checks: readonly Check[]
  /** Of a live call, US dollars. */
  readonly cost?: number
}

/** `svc provider check`: what each configured model lacks. 1 where it is anything. */
export async function runCheck(alias: string | undefined, flags: CheckFlags): Promise<CommandResult> {
  const config = loadConfig(flags)
  const { configFile, findVariable } = config
  const { models } = readOperationWithoutKeys(configFile, findVariable)
  const aliases = chooseAliases(alias)
  if (flags.live)
    await confirmSpending(
      aliases.flatMap((name) => (models[name] === 'stub' ? [] : models[name])),
      flags,
    )
  const reports: Report[] = []
  for (const name of aliases) {
    const model = models[name]
    reports.push(
      model === 'stub' ? { alias: name, model, price: null, checks: [] } : await check(name, model, flags, config),
    )
    if (!flags.json) printLines(describe(reports.at(-1) as Report))
  }
  if (flags.json) printJson({ config: configFile, models: reports.map(present) })
  return reports.every(isFine) ? 0 : 1
}

async function check(
  alias: ConfiguredAlias,
  model: ConfiguredModel,
  { live }: CheckFlags,
  config: Config,
): Promise<Report> {
  const { settings, isPriced } = model
  const { micros, per } = settings.price
  const checks = [...checkSetup(model), await checkReachable(settings)]
  const report = {
    alias,
    model: `${settings.provider}:${settings.model}`,
    price: isPriced ? `${formatAmount(micros)}usd/${per}` : null,
  }
  // What lacks something would fail, and perhaps be paid.
  if (live !== true || !checks.every(({ ok }) => ok)) return { ...report, checks }
  const { costMicros, ...result } = await untilInterrupted(
    (signal) => checkLive(settings, config, signal),
    () => void process.stderr.write('Stopped. What was sent may be paid: svc usage has it under provider-check.\n'),
  )
  return { ...report, checks: [...checks, result], cost: costMicros / 1e6 }
}

async function confirmSpending(models: readonly ConfiguredModel[], { yes }: CheckFlags): Promise<void> {
  if (yes || models.length === 0) return
  const what = models.map(({ settings, isPriced }) => {
    return `one ${settings.kind === 'image' ? 'picture' : 'clip'} with ${settings.provider}:${settings.model}, ${
      isPriced
        ? `${settings.price.per === 'second' ? 'about ' : ''}$${formatAmount(estimateLive(settings))}`
        : 'of unknown price'
    }`
  })
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    throw new SvcError('invalid_request', `--live buys ${what.join(', and ')}: add --yes if that is meant.`)
  }
  // Loaded when it asks: the prompts are larger than all the rest of this command.
  const { askWhetherToSpend } = await import('./ask.js')
  await askWhetherToSpend(what)
}

function chooseAliases(alias: string | undefined): ConfiguredAlias[] {
  const known = Object.keys(configuredAliases) as ConfiguredAlias[]
  if (alias === undefined) return known
  const chosen = known.filter((name) => name === alias)
  if (chosen.length > 0) return chosen
  const nearest = findNearest(alias, known)
  const hint = nearest === undefined ? `it takes ${known.join(' or ')}` : `did you mean ${nearest}?`
  throw new SvcError('invalid_request', `There is no alias ${JSON.stringify(alias)} to check; ${hint}`)
}

const isFine = ({ checks }: Report) => checks.every(({ ok }) => ok)

function present(report: Report) {
  return { ...report, ok: isFine(report) }
}

function describe({ alias, model, price, checks, cost }: Report): string[] {
  if (model === 'stub') return [`${alias}  stub: drawn here, costs nothing`]
  return [
    `${alias}  ${model}, ${price ?? 'no price: usage counts it as $0'}`,
    ...checks.map(({ check, ok, detail }) => `  ${ok ? '✓' : '✗'} ${check}: ${detail}`),
    ...(cost === undefined
      ? []
      : [`  cost: $${formatAmount(Math.round(cost * 1e6))}, in svc usage under provider-check`]),
  ]
}
