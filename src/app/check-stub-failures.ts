import { readSceneLibrary } from '../catalog/diary.js'
import { SvcError } from '../errors.js'
import { defaultDiaryVersion } from '../media/diary-versions.js'
import { poses } from '../media/poses.js'
import { findNearest } from '../text/spelling.js'

/** Throws `invalid_request` for a name in `SVC_STUB_FAIL` that is neither a pose nor a scene, which would fail nothing. */
export function checkStubFailures(names: readonly string[]): void {
  const scenes = readSceneLibrary(defaultDiaryVersion).scenes.map(({ scene_id: id }) => id)
  const known = ['all', ...poses, ...scenes]
  const name = names.find((each) => !known.includes(each))
  if (name === undefined) return
  const nearest = findNearest(name, known)
  const advice = nearest ? `Did you mean ${nearest}?` : 'svc diary scenes lists the scenes.'
  throw new SvcError('invalid_request', `SVC_STUB_FAIL names ${name}, which is neither a pose nor a scene. ${advice}`)
}
