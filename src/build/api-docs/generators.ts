import { renderFields, renderOperation, renderRoutes } from './operations.js'
import { renderErrors, renderPayload, renderRules } from './tables.js'

/** The generators that a text calls by a line `{{NAME ARGUMENT}}`. */
export const generators: Readonly<Record<string, (argument: string) => string>> = {
  operation: renderOperation,
  fields: renderFields,
  routes: renderRoutes,
  errors: renderErrors,
  rules: renderRules,
  payload: renderPayload,
}
