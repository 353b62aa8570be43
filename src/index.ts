/** Exports for TypeScript callers: the pure core of health detail insights, and the texts that ship with it. */
export { loadInsightCopy } from './catalog/catalog.js'
export * from './insight/index.js'
