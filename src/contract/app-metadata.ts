import { Type } from 'typebox'
import { defaultDiaryVersion, diaryVersions } from '../media/diary-versions.js'
import { Scene } from '../media/scenes.js'
import { defineRoute } from './route.js'
import { Pose } from './schemas.js'

const version = Type.Enum([...diaryVersions])
const { scene_id, species, category, title, description, date_rule } = Scene.properties

/** @NOTE contract: only the enumerations are shown; the record has what a page for choosing scenes needs. */
const DiaryScene = Type.Object({
  scene_id,
  version,
  species,
  category,
  recommended_pose: Pose,
  title,
  description,
  date_rule,
})

/** Source: gateway contract, 2.8. */
export const DiarySceneCatalog = Type.Object(
  {
    version,
    default_version: version,
    versions: Type.Array(version, { description: 'Newest first.' }),
    total: Type.Integer(),
    scenes: Type.Array(DiaryScene),
  },
  { $id: 'DiarySceneCatalog' },
)

/**
 * The scenes of a library version. Source: gateway contract, 4.15 and 9.3.
 * @NOTE contract: the permission is not shown; no model is called, so the endpoint group is all a key needs.
 */
export const listDiaryScenes = defineRoute({
  method: 'GET',
  path: '/v1/app-metadata/diary-image-library-scenes',
  summary: 'Scenes of the diary picture library',
  description: 'Lists the scenes of a version of the library, with titles in three languages.',
  access: { group: 'app-metadata' },
  // @NOTE contract: the response to an unknown version is not shown; it is an invalid enumeration value.
  query: Type.Object({
    version: Type.Enum([...diaryVersions], { default: defaultDiaryVersion, description: 'Version of the library.' }),
  }),
  replies: { 200: DiarySceneCatalog },
})
