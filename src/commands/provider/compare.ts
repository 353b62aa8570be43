import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { checkSetup, estimateLive } from '../../app/check-model.js'
import { type ComparedModel, type ComparedPicture, compareModels, readPhoto } from '../../app/compare-models.js'
import { formatAmount } from '../../config/money.js'
import { type ConfigFlags, loadConfig } from '../../config.js'
import { SvcError } from '../../errors.js'
import {
  poses as allPoses,
  species as allSpecies,
  type Species,
  type TaskLocale,
  taskLocales,
} from '../../media/poses.js'
import { findShutdown } from '../../models/describe-model.js'
import { renderComparison } from '../../reports/comparison.js'
import { openFile } from '../../runtime/output.js'
import { programName } from '../../runtime/program-name.js'
import { listWords } from '../../text/spelling.js'
import { toPrintable } from '../../text/words.js'
import { printJson, printLines, untilInterrupted } from '../client/run.js'
import type { CommandResult } from '../command.js'
import type { StorageFlags } from '../storage-options.js'
import { type ChosenModel, chooseModels, parseBudgetFlag } from './compare-flags.js'

export interface CompareFlags extends Pick<ConfigFlags, 'config'>, StorageFlags {
  readonly photo: string
  readonly models: string
  readonly poses: string
  readonly species: string
  readonly locale: string
  readonly budget?: string
  readonly price?: readonly string[]
  readonly out: string
  readonly json?: true
}

/** `svc provider compare`: writes a page with the pictures of several models. Returns 3 if some failed, 1 if all did. */
export async function runCompare(flags: CompareFlags): Promise<CommandResult> {
  const config = loadConfig(flags)
  const poses = readList('--poses', flags.poses, allPoses)
  const [species] = readList('--species', flags.species, allSpecies)
  const [locale] = readList('--locale', flags.locale, taskLocales)
  const models = chooseModels(flags.models, flags.price ?? [], config)
  requireBudget(models, poses.length, flags.budget)
  warnOfShutdowns(models)
  const photo = await readPhoto(readFile(flags.photo), config)
  const pictures: ComparedPicture[] = []
  const request = {
    photo,
    species: species as Species,
    locale: locale as TaskLocale,
    poses,
    models: models.map(toCompared),
    onPicture(picture: ComparedPicture) {
      const place = ({ model, pose }: ComparedPicture) =>
        models.findIndex(({ name }) => name === model) * poses.length + poses.indexOf(pose)
      pictures.push(picture)
      pictures.sort((one, other) => place(one) - place(other))
    },
  }
  // Opened before anything is bought. A page that was there stays until another is complete.
  const page = openFile(flags.out)
  try {
    await untilInterrupted(
      (signal) => compareModels(request, config, signal),
      () =>
        void process.stderr.write(
          `Stopped. Calls that were sent may be paid: ${programName()} usage lists them under provider-compare.\n`,
        ),
    )
  } catch (error) {
    if (pictures.length > 0) process.stderr.write(`svc: what was made is on ${toPrintable(resolve(flags.out))}\n`)
    throw error
  } finally {
    if (pictures.length === 0) page.discard()
    else page.write(toPage(photo, models, pictures))
    await page.close()
  }
  const made = pictures.filter(({ shown }) => shown !== undefined).length
  if (flags.json) printJson(toDocument(flags.out, pictures))
  else printLines(describe(flags.out, pictures))
  return made === pictures.length ? 0 : made === 0 ? 1 : 3
}

function readFile(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (cause) {
    throw new SvcError('invalid_request', `${path} cannot be read: --photo takes a JPEG, PNG or WebP file.`, { cause })
  }
}

function readList<T extends string>(flag: string, text: string, known: readonly T[]): T[] {
  const names = text.split(',').map((name) => name.trim())
  const strange = names.find((name) => !known.some((one) => one === name))
  if (strange === undefined) return [...new Set(names)] as T[]
  throw new SvcError('invalid_request', `${flag} has ${JSON.stringify(strange)}; it takes ${listWords(known, 'or')}.`)
}

/** Throws unless the expected cost of all pictures fits the budget, which paid models need. */
function requireBudget(models: readonly ChosenModel[], poses: number, flag: string | undefined): void {
  const paid = models.flatMap(({ model }) => (model === 'stub' ? [] : [model]))
  if (paid.length === 0) return
  const budget = flag === undefined ? undefined : parseBudgetFlag(flag)
  const unpriced = paid
    .filter(({ isPriced }) => !isPriced)
    .map(({ settings }) => `${settings.provider}:${settings.model}`)
  if (unpriced.length > 0) {
    const example = `--price ${unpriced[0]}=0.04usd/image`
    throw new SvcError(
      'invalid_request',
      `The price of ${listWords(unpriced, 'and')} is not known: name it, such as ${example}.`,
    )
  }
  const micros = paid.reduce((sum, { settings }) => sum + estimateLive(settings) * poses, 0)
  const count = `${paid.length * poses} ${paid.length * poses === 1 ? 'picture' : 'pictures'}`
  if (budget === undefined) {
    throw new SvcError(
      'invalid_request',
      `This buys ${count} for $${formatAmount(micros)}: allow it with --budget ${formatAmount(micros)}usd.`,
    )
  }
  if (micros > budget) {
    throw new SvcError(
      'invalid_request',
      `${count} cost $${formatAmount(micros)}, more than the budget of $${formatAmount(budget)}. Nothing was bought.`,
    )
  }
  const missing = paid.flatMap((model) => checkSetup(model).filter(({ ok }) => !ok))
  if (missing.length > 0)
    throw new SvcError('invalid_request', `Nothing was bought: ${missing.map(({ detail }) => detail).join('; ')}.`)
}

function warnOfShutdowns(models: readonly ChosenModel[]): void {
  for (const { model } of models) {
    const end = model === 'stub' ? undefined : findShutdown(model.settings, new Date())
    if (end !== undefined) process.stderr.write(`svc: ${end.detail}.\n`)
  }
}

function toCompared({ name, model }: ChosenModel): ComparedModel {
  return { name, settings: model === 'stub' ? 'stub' : model.settings }
}

const sumOf = (pictures: readonly ComparedPicture[]) => pictures.reduce((sum, { costMicros }) => sum + costMicros, 0)
const toDollars = (micros: number, isCertain = true) =>
  micros === 0 ? 'free' : `$${formatAmount(micros)}${isCertain ? '' : ' (perhaps not paid)'}`

function toPage(photo: Uint8Array, models: readonly ChosenModel[], pictures: readonly ComparedPicture[]): string {
  return renderComparison({
    photo,
    models: models.map(({ name, model }) => ({
      name,
      price: model === 'stub' ? 'free' : `$${formatAmount(model.settings.price.micros)}`,
      cost: toDollars(sumOf(pictures.filter((picture) => picture.model === name))),
    })),
    pictures: pictures.map(({ costMicros, isCertain, ...picture }) => ({
      ...picture,
      cost: toDollars(costMicros, isCertain),
    })),
    total: toDollars(sumOf(pictures)),
    madeAt: new Date(),
  })
}

function toDocument(out: string, pictures: readonly ComparedPicture[]) {
  const rows = pictures.map(({ model, pose, seconds, costMicros, isCertain, shown, problem }) => ({
    ...{ model, pose, ok: shown !== undefined, seconds: Math.round(seconds * 10) / 10 },
    ...{ cost: costMicros / 1e6, certain: isCertain, problem: problem ?? null },
  }))
  return { page: resolve(out), cost: sumOf(pictures) / 1e6, pictures: rows }
}

function describe(out: string, pictures: readonly ComparedPicture[]): string[] {
  const lines = pictures.map(({ model, pose, seconds, costMicros, isCertain, problem }) => {
    const result = problem === undefined ? `${seconds.toFixed(1)} s, ${toDollars(costMicros, isCertain)}` : problem
    return `${problem === undefined ? '✓' : '✗'} ${model}, ${pose}: ${result}`
  })
  const cost = sumOf(pictures)
  const booked = cost === 0 ? [] : [`cost: $${formatAmount(cost)}, in ${programName()} usage under provider-compare`]
  return [...lines, ...booked, `Open ${resolve(out)}`]
}
