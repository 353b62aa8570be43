import { checkLive, checkSetup, estimateLive, type ModelCheck } from '../../app/check-model.js'
import { checkLimits, checkVendor } from '../../app/check-vendor.js'
import { type ConfiguredModel, readOperatorSettingsWithoutKeys } from '../../config/models.js'
import { formatAmount } from '../../config/money.js'
import { type Config, type ConfigFlags, loadConfig } from '../../config.js'
import { SvcError } from '../../errors.js'
import { type ConfiguredAlias, configuredAliases } from '../../models/settings.js'
import { programName } from '../../runtime/program-name.js'
import { findNearest } from '../../text/spelling.js'
import { printJson, printLines, untilInterrupted } from '../client/run.js'
import { type CommandResult, requirePerson } from '../command.js'

export interface CheckFlags extends Pick<ConfigFlags, 'dataDir' | 'database' | 'objects' | 'config'> {
  readonly live?: true
  readonly yes?: true
  readonly json?: true
}

interface ModelReport {
  readonly alias: ConfiguredAlias
  /** `provider:model`, or `stub`. */
  readonly model: string
  readonly price: string | null
  readonly checks: readonly ModelCheck[]
  /** The cost of a live call in US dollars. */
  readonly cost?: number
}

/** `svc provider check`: prints the checks of each configured model. Returns 1 if one fails. */
export async function runCheck(alias: string | undefined, flags: CheckFlags): Promise<CommandResult> {
  const config = loadConfig(flags)
  const { configFile, findVariable } = config
  const { models } = readOperatorSettingsWithoutKeys(configFile, findVariable)
  const aliases = chooseAliases(alias)
  const paid = aliases.flatMap((name) => (models[name] === 'stub' ? [] : models[name]))
  if (flags.live) await confirmSpending(paid, flags)
  const reports: ModelReport[] = []
  for (const name of aliases) {
    const model = models[name]
    const isStub = model === 'stub'
    const report = isStub ? { alias: name, model, price: null, checks: [] } : await check(name, model, flags, config)
    reports.push(report)
    if (!flags.json) printLines(describe(report))
  }
  if (flags.json)
    printJson({ config: configFile, models: reports.map((report) => ({ ...report, ok: isFine(report) })) })
  return reports.every(isFine) ? 0 : 1
}

async function check(
  alias: ConfiguredAlias,
  model: ConfiguredModel,
  { live }: CheckFlags,
  config: Config,
): Promise<ModelReport> {
  const { settings, isPriced } = model
  const { micros, per } = settings.price
  const asked = await checkVendor(model, new Date())
  const isEnding = ({ check: name }: ModelCheck) => name === 'shutdown'
  const known = [...checkSetup(model), ...checkLimits(settings), ...asked.filter(isEnding)]
  const checks = [...known, ...asked.filter((one) => !isEnding(one))]
  const report = {
    alias,
    model: `${settings.provider}:${settings.model}`,
    price: isPriced ? `${formatAmount(micros)}usd/${per}` : null,
  }
  // A model that is not ready would fail, perhaps after payment.
  if (live !== true || !checks.every(({ ok }) => ok)) return { ...report, checks }
  const { costMicros, ...result } = await untilInterrupted(
    (signal) => checkLive(settings, config, signal),
    () =>
      void process.stderr.write(
        `Stopped. A request that was sent may be paid: ${programName()} usage lists it under provider-check.\n`,
      ),
  )
  return { ...report, checks: [...checks, result], cost: costMicros / 1e6 }
}

async function confirmSpending(models: readonly ConfiguredModel[], { yes }: CheckFlags): Promise<void> {
  if (yes || models.length === 0) return
  const what = models.map(({ settings, isPriced }) => {
    const about = settings.price.per === 'second' ? 'about ' : ''
    const price = isPriced ? `${about}$${formatAmount(estimateLive(settings))}` : 'of unknown price'
    return `one ${settings.kind === 'image' ? 'picture' : 'clip'} with ${settings.provider}:${settings.model}, ${price}`
  })
  requirePerson(`--live buys ${what.join(', and ')}: confirm with --yes.`)
  const { askWhether } = await import('../ask.js')
  if (await askWhether(`This buys ${what.join(', and ')}. Continue?`)) return
  throw new SvcError('invalid_request', 'Nothing was bought.')
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

const isFine = ({ checks }: ModelReport) => checks.every(({ ok }) => ok)

function describe({ alias, model, price, checks, cost }: ModelReport): string[] {
  if (model === 'stub') return [`${alias}  stub: drawn on this machine, free`]
  return [
    `${alias}  ${model}, ${price ?? 'no price: usage counts it as $0'}`,
    ...checks.map(({ check, ok, warns, detail }) => `  ${ok ? (warns ? '!' : '✓') : '✗'} ${check}: ${detail}`),
    ...(cost === undefined
      ? []
      : [`  cost: $${formatAmount(Math.round(cost * 1e6))}, in ${programName()} usage under provider-check`]),
  ]
}
