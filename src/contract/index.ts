import { generateHealthDetailInsight } from './insight.js'
import { getHealth, getOpenApi, listModels } from './system.js'

/** Every route of the service. */
export const routes = { getHealth, listModels, generateHealthDetailInsight, getOpenApi }

export type Routes = typeof routes
