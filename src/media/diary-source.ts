import { SvcError } from '../errors.js'
import type { ObjectStore } from '../ports/objects.js'
import type { Photo } from '../ports/photos.js'
import type { Owner } from '../ports/tasks.js'
import { getIdentityAsset, type IdentityAsset, type IdentityStore } from './identity.js'
import type { Pose, Species } from './poses.js'
import { downloadPhoto, type PhotoPorts } from './source-photo.js'
import type { AvatarInput } from './tasks.js'

/** Where the pictures of the pet come from: exactly one; null counts as left out. */
export interface DiarySource {
  readonly identityAssetId?: string | null | undefined
  readonly url?: string | null | undefined
  readonly cosKey?: string | null | undefined
}

export interface SourcePorts extends PhotoPorts {
  readonly tasks: IdentityStore
  readonly objects: Pick<ObjectStore, 'findHead'>
}

/** The pet that a diary picture is of. */
export interface Sitter {
  readonly owner: Owner
  readonly species: Species
  readonly breed?: string | undefined
  readonly identityAssetId: string | null
  /** For a picture in this pose, the one to go by first. */
  listReferences(pose: Pose): readonly string[]
  /** What is to be stored first, under the key that `listReferences` gives, and its content's name. */
  readonly photo?: Photo & { readonly name: string }
}

interface Asked {
  /** As the body has it. */
  readonly owner: Owner
  readonly species?: Species | null | undefined
}

/**
 * Finds the pet. `check` is told the species as soon as it is known, before anything is fetched; a photo that is fetched is
 * to be stored under `photoKey`.
 * Throws `invalid_request` for a source that is none, `not_found` for an asset or an object that does not exist.
 * Source: gateway contract, 4.12.
 */
export async function findSitter(
  ports: SourcePorts,
  source: DiarySource,
  asked: Asked,
  photoKey: string,
  check: (species: Species) => void,
): Promise<Sitter> {
  const { identityAssetId, url, cosKey } = requireOne(source)
  if (identityAssetId != null) {
    const asset = await getIdentityAsset(ports.tasks, identityAssetId)
    check(asset.species)
    return fromAsset(asset)
  }
  const species = requireSpecies(asked.species)
  const sitter = { owner: asked.owner, species, identityAssetId: null }
  if (cosKey != null) {
    await requirePicture(ports.objects, cosKey)
    check(species)
    return { ...sitter, listReferences: () => [cosKey] }
  }
  check(species)
  const photo = await downloadPhoto(ports, url ?? '')
  return { ...sitter, listReferences: () => [photoKey], photo: { ...photo, name: await nameContent(photo.jpeg) } }
}

async function nameContent(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return `sha256:${Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

/** Poses whose picture serves where there is none in the pose asked for, the first first. */
const substitutes: readonly Pose[] = ['sitting', 'lying', 'walking', 'running']

/** The owner's IDs, and that some were missing, are those of the asset. */
function fromAsset({ id, avatar, species, poses, sourceKey }: IdentityAsset): Sitter {
  const keys = new Map(poses.map(({ name, imageKey }) => [name, imageKey]))
  return {
    owner: avatar.owner,
    species,
    breed: (avatar.input as AvatarInput).breed,
    identityAssetId: id,
    listReferences(pose) {
      const [key] = [pose, ...substitutes].flatMap((name) => keys.get(name) ?? [])
      return key === undefined ? [sourceKey] : [key, sourceKey]
    },
  }
}

function requireOne(source: DiarySource): DiarySource {
  if (Object.values(source).filter((value) => value != null).length === 1) return source
  const names = '`identity_asset_id`, `source_image_url` or `cos_key`'
  throw new SvcError('invalid_request', `Send exactly one of ${names}: it says which pet the picture is of.`)
}

function requireSpecies(species: Species | null | undefined): Species {
  if (species != null) return species
  throw new SvcError('invalid_request', '`species` is missing: without `identity_asset_id` it must be dog or cat.')
}

const clipFolder = 'ai-gateway/animations/'
const pictureTypes = ['image/jpeg', 'image/png', 'image/webp']

/**
 * @NOTE contract: what a wrong key answers is not shown. One that cannot be a key is invalid, one of no object is not found;
 * an object that is no picture is invalid.
 */
async function requirePicture(objects: Pick<ObjectStore, 'findHead'>, key: string): Promise<void> {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is looked for.
  if (!key.startsWith('ai-gateway/') || key.includes('..') || /[\\\u0000-\u001f\u007f-\u009f]/.test(key)) {
    throw new SvcError(
      'invalid_request',
      '`cos_key` must be a storage key as answers name it: it begins with ai-gateway/ and has no .., \\ or control character.',
    )
  }
  const head = await objects.findHead(key)
  if (head === undefined) throw new SvcError('not_found', 'There is no stored file with this `cos_key`.')
  // The WebP of an animation moves; what else is stored under that type does not.
  if (!pictureTypes.includes(head.contentType) || key.startsWith(clipFolder)) {
    throw new SvcError('invalid_request', '`cos_key` must name a picture: JPEG, PNG or WebP, and none that moves.')
  }
}
