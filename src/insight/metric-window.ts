import type { Metric, ViewWindow } from './types.js'

/** A metric with its kind of window: what decides which members a payload may have. */
export type MetricWindow = `${Metric}-${'day' | 'period'}`

/** The page of a metric and a window: weeks and months have the same members. */
export function metricWindowOf(metric: Metric, viewWindow: ViewWindow): MetricWindow {
  return `${metric}-${viewWindow === 'day' ? 'day' : 'period'}`
}
