import { describeFound, type Fault } from '../../config/faults.js'
import { SvcError } from '../../errors.js'
import type { ConfiguredAlias } from '../../ports/models.js'
import type { Answers } from './answers.js'

const flagByAlias: Readonly<Record<ConfiguredAlias, string>> = {
  'svc-avatar': '--avatar',
  'svc-animation': '--animation',
}
const endByMember: Readonly<Record<string, string>> = { baseUrl: '-url', apiKey: '-key', price: '-price' }

/** What is wrong with the file that is to be written, told of the flags: who typed them has no such file. */
export function refuseAnswers(answers: Answers, faults: readonly Fault[]): SvcError {
  const sentences = faults.map((fault) => describeFault(answers, fault))
  return new SvcError('invalid_request', sentences.join('; ').replace(/([^.?])$/, '$1.'))
}

function describeFault({ models }: Answers, { path, sentence }: Fault): string {
  const [, group, alias = '', member = 'model'] = path.split('/')
  if (group !== 'models' || !isAlias(alias)) return `--budget-per-pet ${toTakes(sentence)}`
  const flag = `${flagByAlias[alias]}${endByMember[member] ?? ''}`
  if (member !== 'model' || sentence.startsWith('is ')) return `${flag} ${toTakes(sentence)}`
  const answer = models[alias]
  return `${flag} is ${describeFound(typeof answer === 'string' ? answer : answer.model)}, which ${sentence}`
}

const isAlias = (name: string): name is ConfiguredAlias => Object.hasOwn(flagByAlias, name)

/** A member must be something; a flag takes it. */
const toTakes = (sentence: string) => sentence.replace('; it must be ', '; it takes ')
