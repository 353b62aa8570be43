import type { AvatarTask } from '../../contract/avatar.js'
import { findAssetId } from '../../media/identity.js'
import type { AvatarInput } from '../../media/tasks.js'
import type { Task, UnitView } from '../../ports/tasks.js'
import { type Presenting, presentFailure, presentProgress, presentRecord, type SignUrl } from './task.js'

/** Source: gateway contract, 2.3. */
export function presentAvatarTask(task: Task, presenting: Presenting): AvatarTask {
  const { sign } = presenting
  const { sourceKey } = task.input as AvatarInput
  return {
    ...presentRecord(task),
    // An avatar task is never deleted.
    status: task.status as AvatarTask['status'],
    source_cos_key: sourceKey,
    source_url: sign(sourceKey),
    identity_asset_id: findAssetId(task),
    images: Object.fromEntries(task.units.map((unit) => [unit.name, presentImage(unit, sign)])),
    ...presentProgress(task, presenting),
  }
}

function presentImage({ status, output, failure }: UnitView, sign: SignUrl) {
  const key = output?.files.image
  return {
    status,
    ...(key === undefined ? {} : { generated_cos_key: key }),
    generated_url: key === undefined ? null : sign(key),
    ...presentFailure(failure),
  }
}
