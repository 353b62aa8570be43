import { toList, toRecord, toTexts } from './json.js'

/** The vendor's reason for a failure. */
export interface Reason {
  readonly codes: readonly string[]
  /** At most 4,000 characters. */
  readonly message: string
}

/** The patterns take 215 ms for a message of 1 MiB that repeats `model`. */
const messageAtMost = 4000

const contentCodes =
  /moderation|content_?policy|content_?filter|safety|prohibited_content|sensitive_?content|risk_?detection|blocklist|spii|recitation|nsfw/i
const contentWords =
  /safety (system|filter|polic|reason)|content[ _-]?polic|content management polic|contentpolicyviolation|nsfw|sensitive (content|information)|flagged as|usage guidelines|prohibited use|responsible ai/i
const keyWords =
  /api_key_invalid|api[ _]key (not valid|expired|not found)|(invalid|incorrect) (api )?(key|token)|key (was |has been |is )?(reported as )?(revoked|leaked|disabled|expired)|unregistered caller/i
const moneyWords = /insufficient_quota|insufficient (credit|balance|fund)|exhausted balance|accountoverdue|billing/i

const modelCodes =
  /model_?not_?(found|open|exist|supported)|invalid_?endpoint_?or_?model|model_?(deprecated|retired|unavailable)/i
const modelWords =
  /\bmodels?\b.{0,120}\b(does not exist|not found|is not supported|no longer (available|supported)|has been (deprecated|retired|removed|shut ?down|discontinued))|invalid model name/i

export const isAboutContent = ({ codes, message }: Reason) =>
  codes.some((code) => contentCodes.test(code)) || contentWords.test(message)
export const isAboutKey = (reason: Reason) => keyWords.test(toLine(reason))
/** True if the vendor says that it does not have the model, or not any more. */
export const isAboutModel = ({ codes, message }: Reason) =>
  codes.some((code) => modelCodes.test(code)) || modelWords.test(message)
/** True if a router answered, not the model service: the address may be wrong. */
export const isBare = ({ codes, message }: Reason) => codes.length === 0 && /^(not found\.?)?$/i.test(message)
export const isAboutMoney = (reason: Reason) => moneyWords.test(toLine(reason))

/** Describes an unsuccessful response in one line. */
export function describeResponse(status: number, reason: Reason): string {
  return [`HTTP ${status}`, toLine(reason)].filter(Boolean).join(': ')
}

export function toLine({ codes, message }: Reason): string {
  return [...new Set(codes), message].filter(Boolean).join(': ')
}

/** Reads the reason of an error response. Supports the formats of all vendors, because gateways pass them through. */
export function readReason(json: unknown): Reason {
  const root = toRecord(json)
  const error = toRecord(root.error)
  const details = toList(root.detail).map(toRecord)
  const hints = toList(error.details).map(toRecord)
  return {
    codes: toTexts(
      error.code,
      error.type,
      error.status,
      root.code,
      root.error_type,
      ...details.map(({ type }) => type),
      ...hints.map(({ reason }) => reason),
    ),
    message: toMessage(error.message, root.message, root.error, root.detail, ...details.map(({ msg }) => msg)),
  }
}

/** Returns the first text among `values`. */
function toMessage(...values: readonly unknown[]): string {
  return (toTexts(...values)[0] ?? '').slice(0, messageAtMost)
}

type VendorRefusal = Reason & { readonly isCharged: boolean }

/** Finds a refusal in a response with a success status; undefined if it has a result. */
export function findRefusal(json: unknown): VendorRefusal | undefined {
  const root = toRecord(json)
  return findGeminiRefusal(root) ?? findImagenRefusal(root) ?? findSeedreamRefusal(root) ?? findFalRefusal(root)
}

function findGeminiRefusal({
  candidates,
  promptFeedback,
}: Readonly<Record<string, unknown>>): VendorRefusal | undefined {
  const blocked = toRecord(promptFeedback)
  const block = toTexts(blocked.blockReason)
  if (block.length > 0) return { codes: block, message: toMessage(blocked.blockReasonMessage), isCharged: false }
  const candidate = toRecord(toList(candidates)[0])
  const parts = toList(toRecord(candidate.content).parts).map(toRecord)
  const finish = toTexts(candidate.finishReason)
  if (finish.length === 0 || parts.some((part) => 'inlineData' in part)) return undefined
  const said = parts.map(({ text }) => text)
  return { codes: finish, message: toMessage(candidate.finishMessage, ...said), isCharged: false }
}

function findImagenRefusal({ predictions }: Readonly<Record<string, unknown>>): VendorRefusal | undefined {
  const message = toMessage(...toList(predictions).map((prediction) => toRecord(prediction).raiFilteredReason))
  return message === '' ? undefined : { codes: ['raiFilteredReason', 'SAFETY'], message, isCharged: false }
}

function findSeedreamRefusal({ data }: Readonly<Record<string, unknown>>): VendorRefusal | undefined {
  const first = toRecord(toList(data)[0])
  return 'error' in first ? { ...readReason(first), isCharged: false } : undefined
}

/** fal delivers a black picture instead of a withheld one, and charges for it. */
function findFalRefusal(root: Readonly<Record<string, unknown>>): VendorRefusal | undefined {
  const flags = [...toList(root.has_nsfw_concepts), ...toList(root.nsfw_content_detected)]
  return flags.includes(true) ? { codes: ['nsfw'], message: 'the picture is withheld', isCharged: true } : undefined
}
