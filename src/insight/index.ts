export { payloadSchema } from '../generated/payload-schema.js'
export { explain, explainReading } from './explain.js'
export { readValidPayload, type ValidReading } from './reading.js'
export { type GenerateOptions, generate, type InsightResponse, presentInsight, renderInsight } from './render.js'
export { rules } from './rules/index.js'
export { ruleIdsOf, type Scenario, scenarios, statusesOf } from './scenarios.js'
export type { HealthDetailPayload } from './schema.js'
export * from './types.js'
export {
  type Interpretation,
  ignoresMembers,
  interpret,
  type UnknownMembers,
  unknownMemberModes,
  validate,
  validateUnknown,
} from './validate.js'
