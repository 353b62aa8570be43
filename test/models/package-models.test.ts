import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { knownModels } from '../../src/models/known-models.js'
import type { ProviderName } from '../../src/models/providers.js'

const packages = suite('models of the installed packages')

/** The models that a package lists and that nobody has looked up at the vendor: `svc` recommends none of them. */
const notLookedUp: Readonly<Record<Exclude<ProviderName, 'openai-compatible'>, string>> = {
  openai: `
    gpt-image-2 gpt-image-2.5-flare gpt-image-2.5-flare-2026-09-08 gpt-image-2.5-sunburst
    gpt-image-2.5-sunburst-2026-09-08
  `,
  google: `
    veo-3.1-generate
  `,
  bytedance: `
    seedance-1-0-lite-i2v-250428 seedance-1-0-lite-t2v-250428 seedance-1-0-pro-250528
    seedance-1-0-pro-fast-251015 seedream-4-0-250828 seedream-4-5-251128 seedream-5-0-260128
    seedream-5-0-lite-260128
  `,
  fal: `
    bria/text-to-image/3.2 fal-ai/aura-sr fal-ai/bria/background/remove fal-ai/bria/eraser
    fal-ai/bria/product-shot fal-ai/bria/reimagine fal-ai/bria/text-to-image/base fal-ai/bria/text-to-image/fast
    fal-ai/bria/text-to-image/hd fal-ai/bytedance/dreamina/v3.1/text-to-image fal-ai/ccsr
    fal-ai/clarity-upscaler fal-ai/creative-upscaler fal-ai/esrgan fal-ai/fashn/tryon/v1.6 fal-ai/flux-general
    fal-ai/flux-general/differential-diffusion fal-ai/flux-general/image-to-image fal-ai/flux-general/inpainting
    fal-ai/flux-general/rf-inversion fal-ai/flux-kontext-lora/text-to-image fal-ai/flux-lora
    fal-ai/flux-lora/image-to-image fal-ai/flux-lora/inpainting fal-ai/flux-pro/kontext
    fal-ai/flux-pro/kontext/max fal-ai/flux-pro/v1.1 fal-ai/flux-pro/v1.1-ultra
    fal-ai/flux-pro/v1.1-ultra-finetuned fal-ai/flux-pro/v1.1-ultra/redux fal-ai/flux-pro/v1.1/redux
    fal-ai/flux/dev fal-ai/flux/dev/image-to-image fal-ai/flux/dev/redux fal-ai/flux/krea
    fal-ai/flux/krea/image-to-image fal-ai/flux/krea/redux fal-ai/flux/schnell fal-ai/flux/schnell/redux
    fal-ai/ideogram/character fal-ai/ideogram/character/edit fal-ai/ideogram/character/remix
    fal-ai/imagen4/preview fal-ai/luma-photon fal-ai/luma-photon/flash fal-ai/object-removal fal-ai/omnigen-v2
    fal-ai/qwen-image fal-ai/recraft/v3/image-to-image fal-ai/recraft/v3/text-to-image fal-ai/sana/sprint
    fal-ai/sana/v1.5/1.6b fal-ai/sana/v1.5/4.8b fal-ai/sky-raccoon fal-ai/wan/v2.2-5b/text-to-image
    fal-ai/wan/v2.2-a14b/text-to-image hunyuan-video luma-dream-machine luma-ray-2 luma-ray-2-flash
    minimax-video minimax-video-01
  `,
  replicate: `
    black-forest-labs/flux-1.1-pro black-forest-labs/flux-1.1-pro-ultra black-forest-labs/flux-2-dev
    black-forest-labs/flux-dev black-forest-labs/flux-fill-dev black-forest-labs/flux-fill-pro
    black-forest-labs/flux-pro black-forest-labs/flux-schnell bytedance/sdxl-lightning-4step fofr/aura-flow
    fofr/latent-consistency-model fofr/realvisxl-v3-multi-controlnet-lora fofr/sdxl-emoji
    fofr/sdxl-multi-controlnet-lora ideogram-ai/ideogram-v2 ideogram-ai/ideogram-v2-turbo
    lucataco/dreamshaper-xl-turbo lucataco/open-dalle-v1.1 lucataco/realvisxl-v2.0 lucataco/realvisxl2-lcm
    luma/photon luma/photon-flash minimax/video-01 minimax/video-01:6c1e4171-288a-4ca2-a738-894f0e87699d
    nvidia/sana playgroundai/playground-v2.5-1024px-aesthetic recraft-ai/recraft-v3 recraft-ai/recraft-v3-svg
    stability-ai/stable-diffusion-3.5-large stability-ai/stable-diffusion-3.5-large-turbo
    stability-ai/stable-diffusion-3.5-medium
    stability-ai/stable-video-diffusion:3f0457e4619daac51203dedb472816fd4af51f3149fa7a9e0b5ffcf1b8172438
    tstramer/material-diffusion
  `,
}

/** Lists the models of pictures and clips that the types of a vendor's package name. */
function listPackageModels(provider: string): string[] {
  const types = readFileSync(new URL(`../../node_modules/@ai-sdk/${provider}/dist/index.d.ts`, import.meta.url), 'utf8')
  const lists = [...types.matchAll(/^type \w+(?:Image|Video)ModelId = (.*);$/gm)]
  return lists.flatMap(([, list = '']) => [...list.matchAll(/'([^']+)'/g)].map(([, model = '']) => model))
}

for (const [provider, text] of Object.entries(notLookedUp)) {
  packages(`every model that @ai-sdk/${provider} lists is known or marked as not looked up`, () => {
    const listed = listPackageModels(provider)
    assert.ok(listed.length > 0)
    const known = new Set(knownModels.filter((one) => one.provider === provider).map(({ model }) => model))
    assert.equal(
      listed.filter((model) => !known.has(model)).sort(),
      text.trim().split(/\s+/),
      'look up each new model and add it to known-models.ts or to this list; remove those that the package dropped',
    )
  })
}

packages.run()
