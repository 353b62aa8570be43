import { beach } from './beach.js'
import { field } from './field.js'
import { garden } from './garden.js'
import { park } from './park.js'
import { room } from './room.js'
import type { Scene, Stage } from './stage.js'

/** Every scene by its name; each is drawn for any pet and at any speed. */
export const scenes = { room, garden, park, beach, field } as const satisfies Record<string, (stage: Stage) => Scene>

export type SceneName = keyof typeof scenes
