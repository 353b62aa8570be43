import { isUtf8 } from 'node:buffer'
import type { JsonText } from '../../contract/route.js'
import { SvcError } from '../../errors.js'
import type { RuleHit } from '../../log/request-log.js'
import { type BodySource, readBytes } from './body-reader.js'

/** @NOTE contract: the size limit is not shown; the largest payload, a month, is 10 to 20 KB. */
const bodyBytesAtMost = 1 << 20

/**
 * Reads a body that may be JSON. Throws `payload_too_large` as soon as more than `bodyBytesAtMost` are announced or
 * received, and `InvalidBody` for another content type, for anything that is not UTF-8, and from `parse` for broken JSON.
 * @NOTE contract: a wrong content type and broken JSON are not shown; 422 is its only answer to bad input.
 */
export async function readJsonText(source: BodySource): Promise<JsonText> {
  const bytes = await readBytes(source, bodyBytesAtMost)
  // After the size, which is checked for every type of body.
  if (!isJsonType(source.headers.get('content-type'))) throw unreadableBody('content-type')
  if (!isUtf8(bytes)) throw unreadableBody('payload-json')
  const text = bytes.toString()
  return { bytes, text, parse: () => parse(text) }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text.startsWith(byteOrderMark) ? text.slice(1) : text)
  } catch {
    // The parser's message quotes the body, which must not reach the log.
    throw unreadableBody('payload-json')
  }
}

/** Not part of the JSON; parsers may ignore it. Source: RFC 8259, 8.1. */
const byteOrderMark = '\ufeff'

/** A missing type counts as JSON. */
export function isJsonType(type: string | null): boolean {
  return type === null || /^application\/(?:[\w.+-]+\+)?json *(?:;|$)/i.test(type)
}

/**
 * A request that breaks its schema; `violations` are for the log. The caller gets one fixed sentence, unless the route may
 * say more. Source: health detail contract, 7.
 */
export class InvalidBody extends SvcError {
  readonly violations: readonly RuleHit[]

  constructor(violations: readonly RuleHit[], message = 'The request is not valid.') {
    super('invalid_request', message)
    this.violations = violations
  }
}

/** The rules that a body breaks as a whole. */
export type BodyRule = 'content-type' | 'payload-json'

export function unreadableBody(rule: BodyRule, message?: string): InvalidBody {
  return new InvalidBody([{ rule, path: '' }], message)
}
