import type { AvatarTask } from '../../contract/avatar.js'
import { findAssetId } from '../../media/identity.js'
import type { Pose } from '../../media/poses.js'
import type { AvatarInput } from '../../media/task-inputs.js'
import type { Task, UnitView } from '../../ports/tasks.js'
import { type Presenting, presentFailure, presentProgress, presentRecord, type SignUrl } from './task.js'

type AvatarImage = NonNullable<AvatarTask['images'][Pose]>

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

function presentImage({ status, output, failure }: UnitView, sign: SignUrl): AvatarImage {
  const key = output?.files.image
  if (key === undefined) return { status, generated_url: null, ...presentFailure(failure) }
  return { status, generated_cos_key: key, generated_url: sign(key), ...presentFailure(failure) }
}
