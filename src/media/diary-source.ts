import { SvcError } from '../errors.js'
import type { ObjectStore } from '../ports/objects.js'
import type { Photo } from '../ports/photos.js'
import type { Owner } from '../ports/tasks.js'
import { getIdentityAsset, type IdentityAsset, type IdentityStore } from './identity.js'
import type { Pose, Species } from './poses.js'
import { downloadPhoto, type PhotoPorts } from './source-photo.js'
import type { AvatarInput } from './task-inputs.js'

/** The source of the pet's pictures: exactly one; null counts as left out. */
export interface DiarySource {
  readonly identityAssetId?: string | null | undefined
  readonly url?: string | null | undefined
  readonly cosKey?: string | null | undefined
}

export interface SourcePorts extends PhotoPorts {
  readonly tasks: IdentityStore
  readonly objects: Pick<ObjectStore, 'findHead'>
}

/** The pet that a diary picture shows. */
export interface DiaryPet {
  readonly owner: Owner
  readonly species: Species
  readonly breed?: string | undefined
  readonly identityAssetId: string | null
  /** Object keys for a picture in this pose, the primary reference first. */
  listReferences(pose: Pose): readonly string[]
  /** The photo to store first, under the key that `listReferences` returns, and the hash that names its content. */
  readonly photo?: Photo & { readonly name: string }
}

interface RequestedPet {
  /** As in the request body. */
  readonly owner: Owner
  readonly species?: Species | null | undefined
}

/**
 * Resolves the pet. Calls `check` with the species as soon as it is known, before any download; a downloaded photo
 * must be stored under `photoKey`.
 * Throws `invalid_request` for an unusable source, `not_found` for an asset or object that does not exist.
 * Source: gateway contract, 4.12.
 */
export async function resolvePet(
  ports: SourcePorts,
  source: DiarySource,
  requested: RequestedPet,
  photoKey: string,
  check: (species: Species) => void,
): Promise<DiaryPet> {
  const { identityAssetId, url, cosKey } = requireOne(source)
  if (identityAssetId != null) {
    const asset = await getIdentityAsset(ports.tasks, identityAssetId)
    check(asset.species)
    return fromAsset(asset)
  }
  const species = requireSpecies(requested.species)
  const pet = { owner: requested.owner, species, identityAssetId: null }
  if (cosKey != null) {
    await requirePicture(ports.objects, cosKey)
    check(species)
    return { ...pet, listReferences: () => [cosKey] }
  }
  check(species)
  const photo = await downloadPhoto(ports, url ?? '')
  return { ...pet, listReferences: () => [photoKey], photo: { ...photo, name: await nameContent(photo.jpeg) } }
}

async function nameContent(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return `sha256:${Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

/** Poses to use if the requested pose has no image, in order of preference. */
const substitutes: readonly Pose[] = ['sitting', 'lying', 'walking', 'running']

/** Owner IDs, and the record of missing ones, come from the asset. */
function fromAsset({ id, avatar, species, poses, sourceKey }: IdentityAsset): DiaryPet {
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
  throw new SvcError('invalid_request', `Send exactly one of ${names}: it identifies the pet of the picture.`)
}

function requireSpecies(species: Species | null | undefined): Species {
  if (species != null) return species
  throw new SvcError('invalid_request', '`species` is missing: without `identity_asset_id` it must be dog or cat.')
}

const clipFolder = 'ai-gateway/animations/'
const pictureTypes = ['image/jpeg', 'image/png', 'image/webp']

/**
 * @NOTE contract: the answer to a wrong key is not shown. A malformed key is invalid, a key without an object is not
 * found, and an object that is not a picture is invalid.
 */
async function requirePicture(objects: Pick<ObjectStore, 'findHead'>, key: string): Promise<void> {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters on purpose.
  if (!key.startsWith('ai-gateway/') || key.includes('..') || /[\\\u0000-\u001f\u007f-\u009f]/.test(key)) {
    throw new SvcError(
      'invalid_request',
      '`cos_key` must be an object key from an earlier answer: it begins with ai-gateway/ and has no .., \\ or control character.',
    )
  }
  const head = await objects.findHead(key)
  if (head === undefined) throw new SvcError('not_found', 'There is no stored file with this `cos_key`.')
  // The WebP of an animation is animated; no other object of that type is.
  if (!pictureTypes.includes(head.contentType) || key.startsWith(clipFolder)) {
    throw new SvcError('invalid_request', '`cos_key` must name a JPEG, PNG or WebP picture that is not animated.')
  }
}
