import { SvcError } from '../../../errors.js'
import { providers } from '../../../models/providers.js'
import type { ModelSettings } from '../../../models/settings.js'
import { findPackage } from './packages.js'
import type { ClipSupport, ImageModel, PictureSupport, Vendor, VendorAccess, VideoModel } from './vendor.js'
import { vendors } from './vendors/index.js'

/** A model that is ready for use. */
export interface Setup {
  readonly settings: ModelSettings
  readonly vendor: Vendor
  /** Without a trailing slash. */
  readonly baseUrl: string
  /** Upstream label for task records. */
  readonly label: string
  /** Set for a model of pictures. */
  readonly picture?: { readonly support: PictureSupport; open(fetch: VendorAccess['fetch']): ImageModel }
  /** Set for a model of clips. */
  readonly clip?: { readonly support: ClipSupport; open(fetch: VendorAccess['fetch']): VideoModel }
}

/** Checks that a model can be used. Throws `invalid_request` that names what is missing. */
export function setUp(settings: ModelSettings): Setup {
  const { alias, kind, provider, model, apiKey = '' } = settings
  const vendor = vendors[provider]
  const { picture, clip } = vendor
  const entry = providers[provider]
  const baseUrl = (settings.baseUrl ?? entry.baseUrl)?.replace(/\/+$/, '')
  if ((kind === 'image' ? picture : clip) === undefined) {
    throw refuse(
      `${alias} cannot use a model of ${provider}, which has no models for ${kind === 'image' ? 'pictures' : 'clips'}.`,
    )
  }
  if (baseUrl === undefined) throw refuse(`${alias} needs the URL of its service as \`baseUrl\`.`)
  if (entry.variable !== undefined && apiKey === '') throw refuse(`${alias} needs an API key of ${provider}.`)
  const load = findPackage(entry, alias)
  const access = (fetch: VendorAccess['fetch']): VendorAccess => ({ model, apiKey, baseUrl, fetch })
  return {
    settings,
    vendor,
    baseUrl,
    label: toLabel(provider, model),
    ...(kind === 'image' && picture && { picture: { support: picture, open: (f) => picture.open(load, access(f)) } }),
    ...(kind === 'video' && clip && { clip: { support: clip, open: (f) => clip.open(load, access(f)) } }),
  }
}

/** Omits the version of a Replicate model: 64 characters without meaning to people. */
function toLabel(provider: string, model: string): string {
  return `${provider}:${model.split(':')[0]}`.replaceAll(/[^\w.:/-]/g, '-').slice(0, 64)
}

function refuse(message: string): SvcError {
  return new SvcError('invalid_request', message)
}
