import type { Command } from 'commander'
import type { Routes } from '../../contract/index.js'
import type { ReplyBody } from '../../contract/route.js'
import { addServerOptions, type ServerFlags } from './connect.js'
import { describeUnit, listUnits, type TaskRecord } from './resources.js'

/** Renders a task for people: one line per pose or scene, with its files or URLs. */
export function describeTask(task: TaskRecord, files: Readonly<Record<string, readonly string[]>> = {}): string[] {
  const units = listUnits(task).flatMap(([name, unit]) => {
    const urls = [unit.generated_url, unit.webp_url, unit.mp4_url].filter((url) => typeof url === 'string')
    return [describeUnit(name, unit), ...(files[name] ?? urls).map((location) => `      ${location}`)]
  })
  const assetId = 'identity_asset_id' in task ? task.identity_asset_id : null
  const asset = assetId === null ? [] : [`identity asset ${assetId}`]
  return [`${task.task_id} ${task.status}`, ...units, ...asset]
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

/** Declares the options of a list. `owner` says what is listed without a user. */
export function addListOptions(command: Command, items: string, owner: string): void {
  command
    .option('--user-id <id>', `ID of the owner (default: ${owner})`)
    .option('--page <number>', 'page number, from 1')
    .option('--page-size <number>', `${items} per page, 1 to 100 (default 20)`)
  addServerOptions(command)
}

/** The flags of a list. */
export interface ListFlags extends ServerFlags {
  readonly userId?: string
  readonly page?: string
  readonly pageSize?: string
}

export function describeAssetPage(answer: ReplyBody<Routes['listIdentityAssets']>): string[] {
  const lines = answer.items.map(({ identity_asset_id, status, species, pet_id, poses }) =>
    [identity_asset_id, status ?? '', species, `pet ${pet_id}`, Object.keys(poses).join(',')].join('  '),
  )
  return [...lines, describePage(answer)]
}

/** Renders the line below a page of a list. */
export function describePage({
  page,
  page_size,
  total,
}: Omit<ReplyBody<Routes['listIdentityAssets']>, 'items'>): string {
  const pages = Math.max(1, Math.ceil(total / page_size))
  return `${total} in all, page ${page} of ${pages}${page > pages ? ', which is empty' : ''}`
}
