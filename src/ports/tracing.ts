/** Spans of distributed traces. A position in a trace is a `traceparent`, as W3C Trace Context defines it. */

export interface SpanStart {
  /** One of few: no ID. */
  readonly name: string
  readonly kind: 'server' | 'consumer' | 'client'
  /** The `traceparent` of the span that this one belongs to. */
  readonly parent: string | undefined
  readonly attributes: Readonly<Record<string, string | number>>
}

export interface Span {
  readonly traceparent: string | undefined
  set(attribute: string, value: string | number): void
}

export interface Tracing {
  /** Runs work in a span, which ends with the work. */
  run<T>(start: SpanStart, work: (span: Span) => Promise<T>): Promise<T>
}

/** Returns the trace ID in a valid `traceparent`. */
export function findTraceId(traceparent: string): string {
  return traceparent.slice(3, 35)
}
