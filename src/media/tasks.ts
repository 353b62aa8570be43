import type { TaskKind } from '../ports/tasks.js'
import type { Species, TaskLocale } from './poses.js'

/** What an avatar task keeps of its request. Source: gateway contract, 4.3. */
export interface AvatarInput {
  readonly species: Species
  readonly petName?: string
  readonly breed?: string
  /** Of messages about the task. */
  readonly locale: TaskLocale
  /** Object key of the photo. */
  readonly sourceKey: string
}

/** What an animation task keeps of its request and of the avatar task it is made from. Source: gateway contract, 4.8. */
export interface AnimationInput {
  readonly species: Species
  /** Length asked for. */
  readonly seconds: number
  /** Object key of the photo that the avatar was made from. */
  readonly sourceKey: string
  /** Object key of the image of each pose, which the clip begins and ends with. */
  readonly frames: Readonly<Record<string, string>>
  readonly locale: TaskLocale
}

/** The files that a unit of each kind is to deliver, by role. */
export const filesByKind: Readonly<Record<TaskKind, readonly string[]>> = {
  avatar: ['image'],
  animation: ['webp', 'mp4'],
}
