import type { Vendor } from '../vendor.js'

const manyReferences = 16

export const openai: Vendor = {
  optionsKey: 'openai',
  picture: {
    open: (load, { model, apiKey, baseUrl, fetch }) =>
      (load() as typeof import('@ai-sdk/openai')).createOpenAI({ apiKey, baseURL: baseUrl, fetch }).image(model),
    callOptions: ['size'],
    options: {},
    countReferences: () => manyReferences,
  },
}

/** The SDK asks every model for base64, which these give anyway: they refuse a call that says so. */
function withoutFormat(send: typeof fetch): typeof fetch {
  return (input, init) => {
    if (typeof init?.body !== 'string') return send(input, init)
    const { response_format: _, ...fields } = JSON.parse(init.body)
    return send(input, { ...init, body: JSON.stringify(fields) })
  }
}

/** LiteLLM, Bifrost and whatever else answers `/images/edits` and `/images/generations` as OpenAI does. */
export const openaiCompatible: Vendor = {
  optionsKey: 'openaiCompatible',
  picture: {
    open: (load, { model, apiKey, baseUrl, fetch }) =>
      (load() as typeof import('@ai-sdk/openai-compatible'))
        .createOpenAICompatible({
          name: 'openaiCompatible',
          baseURL: baseUrl,
          fetch: /^(.*\/)?(chatgpt|gpt)-image-/.test(model) ? withoutFormat(fetch) : fetch,
          ...(apiKey === '' ? {} : { apiKey }),
        })
        .imageModel(model),
    callOptions: [],
    options: {},
    countReferences: () => manyReferences,
  },
}
