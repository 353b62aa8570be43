import type { ProviderName } from './providers.js'

/** A model that the package of a vendor lists, and why svc does not recommend it. */
export interface UnsuitedModel {
  readonly provider: ProviderName
  readonly model: string
  /** A phrase after the name of the model. */
  readonly why: string
  /** The day of the check, and its source, as of a known model. */
  readonly checkedOn: string
  readonly source: string
}

const takesNone = 'takes no picture of the pet'
const keepsPose = 'changes the photo and keeps its pose'
const changes = 'only enlarges, cuts out or varies a picture'
const needsMask = 'needs a mask or a second picture'
/** The SDK does not fill this field; an option can (`$reference`). */
const takesIn = (field: string) => `takes the photo in another field (${field})`
const noLoop = 'takes no last frame, so that its clips do not loop'
const notFound = 'is listed by the package; no page of its vendor was found'

const falTypes = 'https://github.com/fal-ai/fal-js/blob/381105e/libs/client/src/types/endpoints.ts'
const falList = '@ai-sdk/fal 2.0.59, model list'
const replicateList = '@ai-sdk/replicate 2.0.57, model list'
const checkedOn = '2026-11-25'

export const unsuitedModels: readonly UnsuitedModel[] = [
  ...list('google', notFound, '@ai-sdk/google 3.0.141, model list', 'veo-3.1-generate'),
  ...list(
    'bytedance',
    'may be retired: a reseller withdrew it on 2026-07-17',
    'https://github.com/orgs/cometapi-dev/discussions/121',
    'seedance-1-0-pro-250528',
  ),
  ...list(
    'bytedance',
    'was discontinued by its vendor',
    'https://docs.krea.ai/developers/deprecations',
    'seedance-1-0-lite-i2v-250428 seedance-1-0-lite-t2v-250428',
  ),
  ...list('bytedance', noLoop, 'https://www.useapi.net/docs/api-dreamina-v1', 'seedance-1-0-pro-fast-251015'),
  ...list(
    'fal',
    takesNone,
    falTypes,
    `
      fal-ai/bria/text-to-image/base fal-ai/bria/text-to-image/fast fal-ai/bria/text-to-image/hd
      fal-ai/flux-kontext-lora/text-to-image fal-ai/flux-lora fal-ai/flux-pro/v1.1 fal-ai/flux/dev
      fal-ai/flux/krea fal-ai/flux/schnell fal-ai/luma-photon fal-ai/luma-photon/flash fal-ai/qwen-image
      fal-ai/recraft/v3/text-to-image fal-ai/sana/sprint fal-ai/sana/v1.5/1.6b fal-ai/sana/v1.5/4.8b
      fal-ai/wan/v2.2-5b/text-to-image fal-ai/wan/v2.2-a14b/text-to-image hunyuan-video
    `,
  ),
  ...list(
    'fal',
    takesNone,
    'https://docs.litellm.ai/docs/providers/fal_ai',
    'fal-ai/bytedance/dreamina/v3.1/text-to-image fal-ai/imagen4/preview',
  ),
  ...list('fal', takesNone, 'https://fal.ai/models/fal-ai/sky-raccoon/api', 'fal-ai/sky-raccoon'),
  ...list(
    'fal',
    changes,
    falTypes,
    `
      fal-ai/aura-sr fal-ai/bria/background/remove fal-ai/bria/product-shot fal-ai/bria/reimagine
      fal-ai/ccsr fal-ai/clarity-upscaler fal-ai/creative-upscaler fal-ai/esrgan
      fal-ai/flux-pro/v1.1-ultra/redux fal-ai/flux-pro/v1.1/redux fal-ai/flux/dev/redux
      fal-ai/flux/krea/redux fal-ai/flux/schnell/redux fal-ai/object-removal
    `,
  ),
  ...list(
    'fal',
    needsMask,
    falTypes,
    `
      fal-ai/bria/eraser fal-ai/flux-general/differential-diffusion fal-ai/flux-general/inpainting
      fal-ai/flux-lora/inpainting fal-ai/ideogram/character/edit
    `,
  ),
  ...list('fal', needsMask, 'https://fal.ai/models/fal-ai/fashn/tryon/v1.6/llms.txt', 'fal-ai/fashn/tryon/v1.6'),
  ...list(
    'fal',
    keepsPose,
    falTypes,
    `
      fal-ai/flux-general/image-to-image fal-ai/flux-general/rf-inversion
      fal-ai/flux-lora/image-to-image fal-ai/flux/dev/image-to-image fal-ai/flux/krea/image-to-image
      fal-ai/recraft/v3/image-to-image
    `,
  ),
  ...list('fal', takesIn('reference_image_url'), falTypes, 'fal-ai/flux-general'),
  ...list(
    'fal',
    takesIn('image_url, for its composition'),
    falTypes,
    'fal-ai/flux-pro/v1.1-ultra fal-ai/flux-pro/v1.1-ultra-finetuned',
  ),
  ...list(
    'fal',
    takesIn('reference_image_urls'),
    falTypes,
    'fal-ai/ideogram/character fal-ai/ideogram/character/remix',
  ),
  ...list('fal', takesIn('input_image_urls'), falTypes, 'fal-ai/omnigen-v2'),
  ...list(
    'fal',
    'is not in the list of the vendor',
    falTypes,
    'luma-dream-machine luma-ray-2 luma-ray-2-flash minimax-video minimax-video-01',
  ),
  ...list('fal', notFound, falList, 'bria/text-to-image/3.2'),
  ...list('replicate', takesNone, 'https://replicate.com/nvidia/sana', 'nvidia/sana'),
  ...list(
    'replicate',
    takesNone,
    'https://replicate.com/bytedance/sdxl-lightning-4step',
    'bytedance/sdxl-lightning-4step',
  ),
  ...list(
    'replicate',
    takesNone,
    'https://docs.kkiai.com/Other-Model-APIs/replicate-api/create-task-recraft-v3-svg.html',
    'recraft-ai/recraft-v3 recraft-ai/recraft-v3-svg',
  ),
  ...list(
    'replicate',
    takesNone,
    'https://apidoc.cometapi.com/image/replicate/create',
    'black-forest-labs/flux-dev black-forest-labs/flux-pro black-forest-labs/flux-schnell',
  ),
  ...list(
    'replicate',
    takesIn('image_prompt'),
    'https://replicate.com/black-forest-labs/flux-1.1-pro',
    'black-forest-labs/flux-1.1-pro black-forest-labs/flux-1.1-pro-ultra',
  ),
  ...list(
    'replicate',
    keepsPose,
    'https://replicate.com/stability-ai/stable-diffusion-3.5-large',
    'stability-ai/stable-diffusion-3.5-large stability-ai/stable-diffusion-3.5-medium',
  ),
  ...list(
    'replicate',
    keepsPose,
    'https://omnicron.mintlify.app/api-reference/endpoint/imagegeneration/playgroundai',
    'lucataco/realvisxl-v2.0 playgroundai/playground-v2.5-1024px-aesthetic',
  ),
  ...list(
    'replicate',
    needsMask,
    'https://replicate.com/ideogram-ai/ideogram-v2',
    'ideogram-ai/ideogram-v2 ideogram-ai/ideogram-v2-turbo',
  ),
  ...list(
    'replicate',
    needsMask,
    'https://docs.kkiai.com/Other-Model-APIs/replicate-api/create-task-flux-fill-dev.html',
    'black-forest-labs/flux-fill-dev black-forest-labs/flux-fill-pro',
  ),
  ...list(
    'replicate',
    'states no number of pictures',
    'https://api.core.today/v1/models/black-forest-labs/flux-2-dev/llms.txt',
    'black-forest-labs/flux-2-dev',
  ),
  ...list(
    'replicate',
    takesIn('character_reference'),
    'https://replicate.com/luma/photon',
    'luma/photon luma/photon-flash',
  ),
  ...list(
    'replicate',
    noLoop,
    'https://wavespeed.ai/docs-api/minimax-video-01',
    'minimax/video-01 minimax/video-01:6c1e4171-288a-4ca2-a738-894f0e87699d',
  ),
  ...list(
    'replicate',
    notFound,
    replicateList,
    `
      fofr/aura-flow fofr/latent-consistency-model fofr/realvisxl-v3-multi-controlnet-lora
      fofr/sdxl-emoji fofr/sdxl-multi-controlnet-lora lucataco/dreamshaper-xl-turbo
      lucataco/open-dalle-v1.1 lucataco/realvisxl2-lcm
      stability-ai/stable-video-diffusion:3f0457e4619daac51203dedb472816fd4af51f3149fa7a9e0b5ffcf1b8172438
      stability-ai/stable-diffusion-3.5-large-turbo tstramer/material-diffusion
    `,
  ),
]

/** Finds the reason against a model; undefined for a model that no package lists. */
export function findUnsuited(provider: ProviderName, model: string): UnsuitedModel | undefined {
  return unsuitedModels.find((one) => one.provider === provider && one.model === model)
}

function list(provider: ProviderName, why: string, source: string, names: string): UnsuitedModel[] {
  return names
    .trim()
    .split(/\s+/)
    .map((model) => ({ provider, model, why, checkedOn, source }))
}
