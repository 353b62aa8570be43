import { SvcError } from '../errors.js'
import type { Page, Task, TaskStatus, TaskStore, UnitView } from '../ports/tasks.js'
import type { AvatarInput } from './task-inputs.js'

/** Source: gateway contract, 2.4. */
export const assetStatuses = ['ready', 'animation_pending', 'success', 'partial_success', 'failed'] as const
export type AssetStatus = (typeof assetStatuses)[number]

/** Source: gateway contract, 2.4. */
export const poseAnimationStatuses = [
  'pending',
  'processing',
  'success',
  'partial_success',
  'failed',
  'delete_failed',
] as const
export type PoseAnimationStatus = (typeof poseAnimationStatuses)[number]

export interface AssetPose {
  readonly name: string
  readonly imageKey: string
  /** Of the linked animation; null if it does not cover this pose. */
  readonly animationStatus: PoseAnimationStatus | null
  readonly webpKey: string | null
  readonly mp4Key: string | null
}

/** A pet's pictures for later use, derived from a successful avatar task and its newest animation; not stored. */
export interface IdentityAsset {
  readonly id: string
  readonly avatar: Task
  readonly animation: Task | undefined
  readonly species: AvatarInput['species']
  readonly sourceKey: string
  readonly status: AssetStatus
  readonly poses: readonly AssetPose[]
  readonly updatedAt: Date
}

export type IdentityStore = Pick<TaskStore, 'findTask' | 'listFinishedAvatars' | 'findNewestAnimations'>

const assetPrefix = 'pia_'
const avatarPrefix = 'avatar_'

/**
 * Returns the ID of an avatar task's asset, or null if the task has not succeeded.
 * @NOTE contract: it names a `partial_success` asset and also says that an asset comes with success; only success
 * makes one.
 */
export function findAssetId({ id, status }: Pick<Task, 'id' | 'status'>): string | null {
  return status === 'success' ? assetPrefix + id.slice(avatarPrefix.length) : null
}

/** Returns the ID of the avatar task that an asset came from; undefined if the ID is not of an asset. */
export function findAvatarId(assetId: string): string | undefined {
  return assetId.startsWith(assetPrefix) ? avatarPrefix + assetId.slice(assetPrefix.length) : undefined
}

/** Throws `not_found`. Source: gateway contract, 4.6. */
export async function getIdentityAsset(store: IdentityStore, id: string): Promise<IdentityAsset> {
  const avatarId = findAvatarId(id)
  const avatar = avatarId === undefined ? undefined : await store.findTask(avatarId)
  if (avatar === undefined || findAssetId(avatar) !== id) {
    throw new SvcError('not_found', 'There is no identity asset with this ID.')
  }
  return toIdentityAsset(avatar, (await store.findNewestAnimations([avatar.id])).get(avatar.id))
}

/** Lists the assets of a user, newest first; `page` counts from 1. Source: gateway contract, 4.5. */
export async function listIdentityAssets(
  store: IdentityStore,
  userId: string,
  page: number,
  pageSize: number,
): Promise<Page<IdentityAsset>> {
  const { total, items } = await store.listFinishedAvatars(userId, page, pageSize)
  const animations = await store.findNewestAnimations(items.map(({ id }) => id))
  return { total, items: items.map((avatar) => toIdentityAsset(avatar, animations.get(avatar.id))) }
}

/**
 * @NOTE contract: the states of an asset are named, not explained. Its pictures are usable in all of them; if there
 * is an animation, the status is derived from it.
 */
const assetStatusByAnimation: Readonly<Record<TaskStatus, AssetStatus>> = {
  pending: 'animation_pending',
  processing: 'animation_pending',
  success: 'success',
  partial_success: 'partial_success',
  failed: 'failed',
  deleting: 'ready',
  delete_failed: 'failed',
}

/**
 * Derives the asset of a successful avatar task and its newest animation; an animation that is being deleted is
 * ignored.
 */
export function toIdentityAsset(avatar: Task, newest: Task | undefined): IdentityAsset {
  const animation = newest?.status === 'deleting' ? undefined : newest
  const { species, sourceKey } = avatar.input as AvatarInput
  return {
    id: findAssetId(avatar) ?? '',
    avatar,
    animation,
    species,
    sourceKey,
    status: animation === undefined ? 'ready' : assetStatusByAnimation[animation.status],
    poses: avatar.units.flatMap(({ name, output }) => {
      const imageKey = output?.files.image
      return imageKey === undefined ? [] : [{ name, imageKey, ...describeClip(animation, name) }]
    }),
    updatedAt: new Date(Math.max(avatar.updatedAt.getTime(), animation?.updatedAt.getTime() ?? 0)),
  }
}

function describeClip(animation: Task | undefined, pose: string): Omit<AssetPose, 'name' | 'imageKey'> {
  const unit = animation?.units.find(({ name }) => name === pose)
  if (unit === undefined) return { animationStatus: null, webpKey: null, mp4Key: null }
  // After an incomplete deletion it is unknown which files are left.
  if (animation?.status === 'delete_failed') return { animationStatus: 'delete_failed', webpKey: null, mp4Key: null }
  const { webp = null, mp4 = null } = unit.output?.files ?? {}
  return { animationStatus: toAnimationStatus(unit, webp, mp4), webpKey: webp, mp4Key: mp4 }
}

function toAnimationStatus({ status }: UnitView, webp: string | null, mp4: string | null): PoseAnimationStatus {
  return status === 'success' && (webp === null || mp4 === null) ? 'partial_success' : status
}
