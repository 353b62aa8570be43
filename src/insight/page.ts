import type { Metric, ViewWindow } from './types.js'

/** A metric with its kind of window: what decides which members a payload may have. */
export type Page = `${Metric}-${'day' | 'period'}`

/** The page of a metric and a window: weeks and months have the same members. */
export function pageOf(metric: Metric, viewWindow: ViewWindow): Page {
  return `${metric}-${viewWindow === 'day' ? 'day' : 'period'}`
}
