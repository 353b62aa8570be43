import type { UnitKind } from '../ports/tasks.js'
import type { DiaryVersion } from './diary-versions.js'
import type { Pose, Species, TaskLocale } from './poses.js'

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

/** What a diary task keeps of its request. Source: gateway contract, 4.12. */
export interface DiaryInput {
  readonly species: Species
  readonly breed?: string
  readonly sceneId: string
  /** The scene's recommended pose. */
  readonly pose: Pose
  readonly promptVersion: DiaryVersion
  readonly diaryId: string | null
  readonly identityAssetId: string | null
  /** Object keys of pictures of the pet: the one to go by first, then the photo it was made from. */
  readonly referenceKeys: readonly string[]
  readonly locale: TaskLocale
}

/** What a diary library task keeps; the rest is in its children. */
export type DiaryLibraryInput = Pick<DiaryInput, 'species' | 'promptVersion' | 'identityAssetId'>

/** The files that a unit of each kind is to deliver, by role. Feedback is on files in the role `image`. */
export const filesByKind: Readonly<Record<UnitKind, readonly string[]>> = {
  avatar: ['image'],
  animation: ['webp', 'mp4'],
  diary: ['picture'],
}

/** What one unit of each kind is counted as. */
export const boughtByKind = { avatar: 'image', animation: 'clip', diary: 'image' } as const
