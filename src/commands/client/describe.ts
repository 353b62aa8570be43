import type { Routes } from '../../contract/index.js'
import type { ReplyBody } from '../../contract/route.js'
import { describeUnit } from './progress.js'
import { listUnits, type TaskRecord } from './resources.js'

/** A task as people read it: one line a pose, with its file or its address. */
export function describeTask(task: TaskRecord, files: Readonly<Record<string, readonly string[]>> = {}): string[] {
  const poses = listUnits(task).flatMap(([pose, image]) => {
    const urls = [image.generated_url, image.webp_url, image.mp4_url].filter((url) => typeof url === 'string')
    return [describeUnit(pose, image), ...(files[pose] ?? urls).map((place) => `      ${place}`)]
  })
  const assetId = 'identity_asset_id' in task ? task.identity_asset_id : null
  const asset = assetId === null ? [] : [`identity asset ${assetId}`]
  return [`${task.task_id} ${task.status}`, ...poses, ...asset]
}

/** A task that was just created, and how to wait for it. */
export function describeCreated(
  { task_id, status, message }: ReplyBody<Routes['generateAvatar']>,
  flags: string,
): string[] {
  return [`${task_id} ${status}`, message, `Wait for it with: svc task wait ${task_id}${flags}`]
}

export function describeAsset(asset: ReplyBody<Routes['getIdentityAsset']>): string[] {
  const head = [
    asset.identity_asset_id,
    asset.status ?? '',
    asset.species,
    `user ${asset.user_id}`,
    `pet ${asset.pet_id}`,
  ]
  const poses = Object.entries(asset.poses).flatMap(([pose, { image_url, animation_status, webp_url, mp4_url }]) => [
    `  ${pose}${animation_status === null ? '' : ` (animation ${animation_status})`}`,
    ...[image_url, webp_url, mp4_url].flatMap((url) => (url === null ? [] : [`      ${url}`])),
  ])
  return [head.join('  '), `  made by ${asset.avatar_task_id}`, ...poses]
}

export function describeAssetPage(answer: ReplyBody<Routes['listIdentityAssets']>): string[] {
  const lines = answer.items.map(({ identity_asset_id, status, species, pet_id, poses }) =>
    [identity_asset_id, status ?? '', species, `pet ${pet_id}`, Object.keys(poses).join(',')].join('  '),
  )
  return [...lines, describePage(answer)]
}

/** The line below a page of a list. */
export function describePage({
  page,
  page_size,
  total,
}: Omit<ReplyBody<Routes['listIdentityAssets']>, 'items'>): string {
  const pages = Math.max(1, Math.ceil(total / page_size))
  return `${total} in all, page ${page} of ${pages}${page > pages ? ', which is empty' : ''}`
}
