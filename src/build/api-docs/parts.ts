import { renderFields, renderOperation, renderRoutes } from './operations.js'
import { renderErrors, renderPayload, renderRules } from './tables.js'

/** What a text may ask for by a line `{{NAME ARGUMENT}}`. */
export const parts: Readonly<Record<string, (argument: string) => string>> = {
  operation: renderOperation,
  fields: renderFields,
  routes: renderRoutes,
  errors: renderErrors,
  rules: renderRules,
  payload: renderPayload,
}
