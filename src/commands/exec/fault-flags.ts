import type { TemporaryService } from '../../app/temporary/temporary-service.js'
import { call } from '../../client/client.js'
import { createNetworkTransport } from '../../client/transport.js'
import type { Config } from '../../config.js'
import { isSvcError, SvcError } from '../../errors.js'
import { readFault } from '../../faults/admin.js'
import type { FaultFields } from '../../faults/fields.js'
import { asPart, toCompact } from '../../faults/rule.js'
import { requireTest } from '../command.js'

/** Reads the rules of a command. Throws `invalid_request` that names the field. */
export function readRules(texts: readonly string[], config: Config): FaultFields[] {
  requireTest(config, '--fault')
  return texts.map(readRule)
}

function readRule(rule: string): FaultFields {
  try {
    return readFault({ rule }, asPart)
  } catch (cause) {
    if (!isSvcError(cause)) throw cause
    const sentence = cause.message.replace(/^The rule /, 'the rule ')
    throw new SvcError(cause.code, `--fault: ${sentence}`, { cause })
  }
}

/** Adds rules to a server before its program starts. */
export async function addRules({ url, key }: TemporaryService, rules: readonly FaultFields[]): Promise<void> {
  const server = { transport: createNetworkTransport(url), key }
  for (const rule of rules) await call(server, 'addFault', { body: { rule: toCompact(rule) } })
}
