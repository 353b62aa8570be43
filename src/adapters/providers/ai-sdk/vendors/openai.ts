import { toList, toRecord } from '../json.js'
import { bearer, readOne, readShutdownDate, type Vendor } from '../vendor.js'

const manyReferences = 16

export const openai: Vendor = {
  optionsKey: 'openai',
  lookUp: ({ model, apiKey, baseUrl }) => ({
    url: `${baseUrl}/models/${encodeURIComponent(model)}`,
    headers: bearer(apiKey),
    read: readOne,
    findShutdown: readShutdownDate,
  }),
  picture: {
    open: (load, { model, apiKey, baseUrl, fetch }) =>
      (load() as typeof import('@ai-sdk/openai')).createOpenAI({ apiKey, baseURL: baseUrl, fetch }).image(model),
    callOptions: ['size'],
    fidelityOption: 'inputFidelity',
    countReferences: () => manyReferences,
  },
}

/** The SDK requests base64 from every model; these always return it and reject the parameter. */
function withoutFormat(send: typeof fetch): typeof fetch {
  return (input, init) => {
    if (typeof init?.body !== 'string') return send(input, init)
    const { response_format: _, ...fields } = JSON.parse(init.body)
    return send(input, { ...init, body: JSON.stringify(fields) })
  }
}

/** LiteLLM, Bifrost and others that implement `/images/edits` and `/images/generations` as OpenAI does. */
export const openaiCompatible: Vendor = {
  optionsKey: 'openaiCompatible',
  // A list without the model is inconclusive: gateways pass on names that they do not list, and may have no list.
  lookUp: ({ model, apiKey, baseUrl }) => ({
    url: `${baseUrl}/models`,
    headers: bearer(apiKey),
    read: (_status, json) => findListed(json, model) !== undefined || undefined,
    findShutdown: (json) => readShutdownDate(findListed(json, model)),
  }),
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
    fidelityOption: 'input_fidelity',
    countReferences: () => manyReferences,
  },
}

const findListed = (json: unknown, model: string) =>
  toList(toRecord(json).data).find((one) => toRecord(one).id === model)
