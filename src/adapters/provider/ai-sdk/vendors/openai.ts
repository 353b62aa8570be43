import type { Vendor } from '../vendor.js'

const manyReferences = 16

export const openai: Vendor = {
  packageName: '@ai-sdk/openai',
  major: 3,
  baseUrl: 'https://api.openai.com/v1',
  needsKey: true,
  optionsKey: 'openai',
  picture: {
    open: (load, { model, apiKey, baseUrl, fetch }) =>
      (load() as typeof import('@ai-sdk/openai')).createOpenAI({ apiKey, baseURL: baseUrl, fetch }).image(model),
    callOptions: ['size'],
    options: {},
    countReferences: () => manyReferences,
  },
}

/** LiteLLM, Bifrost and whatever else answers `/images/edits` and `/images/generations` as OpenAI does. */
export const openaiCompatible: Vendor = {
  packageName: '@ai-sdk/openai-compatible',
  major: 2,
  baseUrl: undefined,
  needsKey: false,
  optionsKey: 'openaiCompatible',
  picture: {
    open: (load, { model, apiKey, baseUrl, fetch }) =>
      (load() as typeof import('@ai-sdk/openai-compatible'))
        .createOpenAICompatible({
          name: 'openaiCompatible',
          baseURL: baseUrl,
          fetch,
          ...(apiKey === '' ? {} : { apiKey }),
        })
        .imageModel(model),
    callOptions: [],
    options: {},
    countReferences: () => manyReferences,
  },
}
