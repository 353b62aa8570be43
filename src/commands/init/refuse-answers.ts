import { type ConfigProblem, describeFound } from '../../config/problem.js'
import { SvcError } from '../../errors.js'
import type { ConfiguredAlias } from '../../models/settings.js'
import type { Answers } from './answers.js'

const flagByAlias: Readonly<Record<ConfiguredAlias, string>> = {
  'svc-avatar': '--avatar',
  'svc-animation': '--animation',
}
const endByMember: Readonly<Record<string, string>> = { baseUrl: '-url', apiKey: '-key', price: '-price' }

/** Describes the errors of the file in terms of the flags: the caller has not written that file. */
export function refuseAnswers(answers: Answers, faults: readonly ConfigProblem[]): SvcError {
  const sentences = faults.map((fault) => describeFault(answers, fault))
  return new SvcError('invalid_request', sentences.join('; ').replace(/([^.?])$/, '$1.'))
}

function describeFault({ models }: Answers, { path, sentence }: ConfigProblem): string {
  const [, group, alias = '', member = 'model'] = path.split('/')
  if (group !== 'models' || !isAlias(alias)) return `--budget-per-pet ${toTakes(sentence)}`
  const flag = `${flagByAlias[alias]}${endByMember[member] ?? ''}`
  if (member !== 'model' || sentence.startsWith('is ')) return `${flag} ${toTakes(sentence)}`
  const answer = models[alias]
  return `${flag} is ${describeFound(typeof answer === 'string' ? answer : answer.model)}, which ${sentence}`
}

const isAlias = (name: string): name is ConfiguredAlias => Object.hasOwn(flagByAlias, name)

/** Rewords a sentence about a member for a flag. */
const toTakes = (sentence: string) => sentence.replace('; it must be ', '; it takes ')
