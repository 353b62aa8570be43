import { listDiaryScenes } from './app-metadata.js'
import { generateHealthDetailInsight } from './insight.js'
import { getHealth, getOpenApi, listModels } from './system.js'

/** Every route of the service. */
export const routes = { getHealth, listModels, generateHealthDetailInsight, listDiaryScenes, getOpenApi }

export type Routes = typeof routes
