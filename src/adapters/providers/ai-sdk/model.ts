import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { SvcError } from '../../../errors.js'
import { installCommand, type ProviderEntry, providers } from '../../../models/providers.js'
import type { ModelSettings } from '../../../models/settings.js'
import { ifInstalled } from '../../../runtime/reason.js'
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

/**
 * Finds a provider's package next to the program or in the working folder, and returns its loader.
 * Throws `invalid_request` with the install command if it is missing or has an incompatible major version.
 */
export function findPackage(
  { packageName, major }: Pick<ProviderEntry, 'packageName' | 'major'>,
  alias: string,
  places: readonly string[] = [import.meta.url, join(process.cwd(), 'package.json')],
): () => unknown {
  const install = installCommand({ packageName, major })
  for (const place of places) {
    const require = createRequire(place)
    const path = ifInstalled(() => require.resolve(packageName))
    if (path === undefined) continue
    const version = readVersion(path, packageName)
    if (version?.split('.')[0] === String(major)) return () => require(path)
    const found = `${packageName} ${version ?? 'of an unknown version'} is installed`
    throw new SvcError('invalid_request', `${alias} needs ${packageName} ${major}, and ${found}: ${install}`)
  }
  throw new SvcError('invalid_request', `${alias} needs the package ${packageName}, which is not installed: ${install}`)
}

/** Returns the version of the package that contains a file. */
function readVersion(file: string, packageName: string): string | undefined {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    try {
      const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
      if (name === packageName) return version
    } catch {
      // Most folders of a package have no package.json.
    }
  }
  return undefined
}
