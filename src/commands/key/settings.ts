import { budgetForm, parseBudget } from '../../config/money.js'
import { capabilities, defaultRateLimit, endpointGroups, modelAliases } from '../../contract/access.js'
import { SvcError } from '../../errors.js'
import type { Budget } from '../../ports/money.js'
import { parseDurationMs } from '../../text/time.js'
import { addChoices } from '../completion/option-with-choices.js'
import type { StrictCommand } from '../strict-command.js'

export interface SettingFlags {
  readonly name?: string
  readonly endpoints?: string
  readonly models?: string
  readonly allow?: string
  readonly pets?: string
  readonly rateLimit?: string
  readonly budget?: string
  readonly expires?: string
  readonly admin?: true
}

/** Declares the options for the permissions of a new key. */
export function addSettingOptions(command: StrictCommand): StrictCommand {
  return command
    .option('--name <name>', 'name of the key, 1 to 128 characters')
    .use(
      addChoices,
      '--endpoints <groups>',
      `comma-separated list of ${endpointGroups.join(', ')} (default all)`,
      endpointGroups,
    )
    .use(
      addChoices,
      '--models <aliases>',
      `comma-separated list of ${modelAliases.join(', ')} (default all)`,
      modelAliases,
    )
    .use(
      addChoices,
      '--allow <what>',
      `comma-separated list of ${capabilities.join(', ')}, or none (default ${capabilities.join(',')}); an avatar needs both capabilities and both models`,
      [...capabilities, 'none'],
    )
    .option('--pets <ids>', 'comma-separated IDs of the only pets that its calls may concern (default all)')
    .option('--rate-limit <calls>', `calls in any 60 seconds, 0 is unlimited (default ${defaultRateLimit})`)
    .option('--budget <amount>', 'budget for pictures and clips, such as 5usd/day or 100usd/month (default unlimited)')
    .option('--expires <time>', 'validity of the key, such as 12h or 30d (default unlimited)')
    .option('--admin', "permit reading the gateway's own records")
}

/**
 * Reads the permissions of a new key, which expires after `expiresMs`, from its flags. Throws `invalid_request` with the flag
 * and its valid values.
 */
export function readSettings(flags: SettingFlags & { readonly name: string }) {
  return {
    name: readName(flags.name),
    endpoints: readList(flags.endpoints, endpointGroups, '--endpoints') ?? null,
    models: readList(flags.models, modelAliases, '--models') ?? null,
    capabilities:
      flags.allow === 'none' ? [] : (readList(flags.allow, capabilities, '--allow', ' or none') ?? capabilities),
    pets: flags.pets === undefined ? null : readPets(flags.pets),
    rateLimit: readRateLimit(flags.rateLimit),
    budget: readBudget(flags.budget),
    expiresMs: flags.expires === undefined ? null : readExpiry(flags.expires),
    admin: flags.admin === true,
  }
}

function readName(name: string): string {
  if (/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]{1,128}$/u.test(name)) return name
  throw new SvcError('invalid_request', '--name must have 1 to 128 characters, none of them a control character.')
}

function readList(
  text: string | undefined,
  names: readonly string[],
  flag: string,
  otherwise = '',
): string[] | undefined {
  if (text === undefined) return undefined
  const list = [...new Set(text.split(',').map((name) => name.trim()))]
  const unknown = list.find((name) => !names.includes(name))
  if (unknown === undefined) return list
  throw new SvcError(
    'invalid_request',
    `${flag} has ${JSON.stringify(unknown)}; it takes a comma-separated list of ${names.join(', ')}${otherwise}.`,
  )
}

function readPets(text: string): string[] {
  const pets = text.split(',').map((id) => id.trim())
  if (pets.every((id) => /^[\w-]{1,128}$/.test(id))) return pets
  throw new SvcError(
    'invalid_request',
    `--pets is ${JSON.stringify(text)}; it takes a comma-separated list of pet IDs: letters, digits, - and _.`,
  )
}

function readExpiry(text: string): number {
  const durationMs = parseDurationMs(text, '--expires')
  if (durationMs > 0) return durationMs
  throw new SvcError('invalid_request', `--expires is ${JSON.stringify(text)}; it must be more than zero, such as 1h.`)
}

function readRateLimit(text: string | undefined): number {
  if (text === undefined) return defaultRateLimit
  if (/^\d{1,10}$/.test(text)) return Number(text)
  throw new SvcError(
    'invalid_request',
    `--rate-limit is ${JSON.stringify(text)}; it must be an integer, 0 for no limit.`,
  )
}

function readBudget(text: string | undefined): Budget | null {
  if (text === undefined) return null
  const budget = parseBudget(text)
  if (budget !== undefined) return budget
  throw new SvcError('invalid_request', `--budget is ${JSON.stringify(text)}; it must be ${budgetForm}.`)
}
