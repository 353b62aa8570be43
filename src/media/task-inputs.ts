import type { UnitKind } from '../ports/tasks.js'
import type { DiaryVersion } from './diary-versions.js'
import type { Pose, Species, TaskLocale } from './poses.js'

/** The stored input of an avatar task. Source: gateway contract, 4.3. */
export interface AvatarInput {
  readonly species: Species
  readonly petName?: string
  readonly breed?: string
  /** The language of messages about the task. */
  readonly locale: TaskLocale
  /** Object key of the photo. */
  readonly sourceKey: string
}

/** The stored input of an animation task: from its request and from its avatar task. Source: gateway contract, 4.8. */
export interface AnimationInput {
  readonly species: Species
  /** The requested length. */
  readonly seconds: number
  /** Object key of the photo that the avatar was made from. */
  readonly sourceKey: string
  /** Object keys of the pose images; a clip begins and ends with its image. */
  readonly frames: Readonly<Record<string, string>>
  readonly locale: TaskLocale
}

/** The stored input of a diary task. Source: gateway contract, 4.12. */
export interface DiaryInput {
  readonly species: Species
  readonly breed?: string
  readonly sceneId: string
  /** The scene's recommended pose. */
  readonly pose: Pose
  readonly promptVersion: DiaryVersion
  /** The weather to show in place of the scene's, as a word of the vocabulary. */
  readonly weather?: string
  readonly diaryId: string | null
  readonly identityAssetId: string | null
  /** Object keys of pictures of the pet: the primary reference first, then the photo that it was made from. */
  readonly referenceKeys: readonly string[]
  readonly locale: TaskLocale
}

/** The stored input of a diary library task; its children have the rest. */
export type DiaryLibraryInput = Pick<DiaryInput, 'species' | 'promptVersion' | 'identityAssetId'>

/** The files that a unit of each kind delivers, by role. Feedback refers to files of the role `image`. */
export const filesByKind: Readonly<Record<UnitKind, readonly string[]>> = {
  avatar: ['image'],
  animation: ['webp', 'mp4'],
  diary: ['picture'],
}

/** The product that one unit of each kind is booked as. */
export const boughtByKind = { avatar: 'image', animation: 'clip', diary: 'image' } as const
