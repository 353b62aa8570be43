import { toList, toRecord, toTexts } from './json.js'

/** Reads the requested wait in milliseconds: from headers, or from the body, as Google and Replicate send it. */
export function readRetryAfterMs(
  headers: Readonly<Record<string, string>>,
  json: unknown,
  now: number,
): number | undefined {
  const root = toRecord(json)
  const delays = toList(toRecord(root.error).details).map((detail) => toRecord(detail).retryDelay)
  const found = [
    toMs(headers['retry-after-ms'], 1),
    toMs(headers['retry-after'], 1000) ?? fromDate(headers['retry-after'], now),
    ...toTexts(...delays).map((text) => toMs(text.replace(/s$/, ''), 1000)),
    toMs(toTexts(root.retry_after)[0], 1000),
  ]
  return found.find((ms) => ms !== undefined)
}

function toMs(text: string | undefined, unitMs: number): number | undefined {
  return text !== undefined && /^\d{1,9}(\.\d+)?$/.test(text.trim()) ? Math.ceil(Number(text) * unitMs) : undefined
}

function fromDate(text: string | undefined, now: number): number | undefined {
  // `Date.parse` accepts almost any text.
  const time = /^[A-Za-z]{3}, \d/.test(text ?? '') ? Date.parse(text ?? '') : Number.NaN
  return Number.isNaN(time) ? undefined : Math.max(0, time - now)
}
