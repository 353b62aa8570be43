import type { IdentityAsset as IdentityAssetRecord } from '../../contract/avatar.js'
import type { IdentityAsset } from '../../media/identity.js'
import { presentTimes, type SignUrl } from './task.js'

/** Source: gateway contract, 2.4. */
export function presentIdentityAsset(asset: IdentityAsset, sign: SignUrl): IdentityAssetRecord {
  const { avatar, animation, updatedAt } = asset
  return {
    identity_asset_id: asset.id,
    avatar_task_id: avatar.id,
    animation_task_id: animation?.id ?? null,
    user_id: avatar.owner.userId,
    pet_id: avatar.owner.petId,
    species: asset.species,
    status: asset.status,
    source_url: sign(asset.sourceKey),
    poses: Object.fromEntries(
      asset.poses.map(({ name, imageKey, animationStatus, webpKey, mp4Key }) => [
        name,
        {
          image_url: sign(imageKey),
          animation_status: animationStatus,
          webp_url: webpKey && sign(webpKey),
          mp4_url: mp4Key && sign(mp4Key),
        },
      ]),
    ),
    ...presentTimes({ createdAt: avatar.finishedAt ?? avatar.createdAt, updatedAt }),
  }
}
