import { SvcError } from '../../../errors.js'
import { type ModelSettings, providers } from '../../../ports/models.js'
import { findPackage } from './packages.js'
import type { Access, ClipHabits, ImageModel, PictureHabits, Vendor, VideoModel } from './vendor.js'
import { vendors } from './vendors/index.js'

/** A model that is ready to be used. */
export interface Setup {
  readonly settings: ModelSettings
  readonly vendor: Vendor
  /** Without a slash at the end. */
  readonly baseUrl: string
  /** Upstream label, as task records show it. */
  readonly label: string
  /** Of a model of pictures. */
  readonly picture?: { readonly habits: PictureHabits; open(fetch: Access['fetch']): ImageModel }
  /** Of a model of clips. */
  readonly clip?: { readonly habits: ClipHabits; open(fetch: Access['fetch']): VideoModel }
}

/** Checks that a model can be used. Throws `invalid_request` that says what is missing. */
export function setUp(settings: ModelSettings): Setup {
  const { alias, kind, provider, model, apiKey = '' } = settings
  const vendor = vendors[provider]
  const { picture, clip } = vendor
  const entry = providers[provider]
  const baseUrl = (settings.baseUrl ?? entry.baseUrl)?.replace(/\/+$/, '')
  if ((kind === 'image' ? picture : clip) === undefined) {
    throw refuse(
      `${alias} cannot be a model of ${provider}: it has none for ${kind === 'image' ? 'pictures' : 'clips'}.`,
    )
  }
  if (baseUrl === undefined) throw refuse(`${alias} needs the address of its service, as \`baseUrl\`.`)
  if (entry.variable !== undefined && apiKey === '') throw refuse(`${alias} needs an API key of ${provider}.`)
  const load = findPackage(entry, alias)
  const access = (fetch: Access['fetch']): Access => ({ model, apiKey, baseUrl, fetch })
  return {
    settings,
    vendor,
    baseUrl,
    label: toLabel(provider, model),
    ...(kind === 'image' && picture && { picture: { habits: picture, open: (f) => picture.open(load, access(f)) } }),
    ...(kind === 'video' && clip && { clip: { habits: clip, open: (f) => clip.open(load, access(f)) } }),
  }
}

/** Without the version that a model of Replicate may name: 64 characters that say nothing to people. */
function toLabel(provider: string, model: string): string {
  return `${provider}:${model.split(':')[0]}`.replaceAll(/[^\w.:/-]/g, '-').slice(0, 64)
}

function refuse(message: string): SvcError {
  return new SvcError('invalid_request', message)
}
