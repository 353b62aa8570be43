/**
 * Returns the `traceparent` of a call in the form of version 00, if it is valid. A later version may add parts, which are
 * dropped.
 * Source: W3C Trace Context, 3.2.
 */
export function readTraceparent(header: string | null): string | undefined {
  if (header === null) return undefined
  const [, version, traceId = '', spanId = '', flags, rest] = pattern.exec(header) ?? []
  const isValid = version !== undefined && version !== 'ff' && (version !== '00' || rest === undefined)
  return isValid && /[^0]/.test(traceId) && /[^0]/.test(spanId) ? `00-${traceId}-${spanId}-${flags}` : undefined
}

const pattern = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/
