import { SvcError } from '../errors.js'

/** Where a server is and who asks. */
export interface Server {
  readonly url: string
  readonly key: string
}

/** What a server answered: `body` is parsed JSON, or the text of an answer that is none. */
export interface Answer {
  readonly status: number
  readonly requestId: string | undefined
  readonly body: unknown
}

/**
 * Posts a JSON text to a path of the server, as it is.
 * Throws an SvcError (`unavailable`) when no server answers, (`invalid_request`) when the URL is none.
 */
export async function postJson({ url, key }: Server, path: string, text: string): Promise<Answer> {
  const target = toTarget(url, path)
  let response: Response
  try {
    response = await fetch(target, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: text,
    })
  } catch (cause) {
    throw new SvcError('unavailable', `No server answers at ${url}. Start one with "svc serve", or give its --url.`, {
      cause,
    })
  }
  const answer = await response.text()
  return { status: response.status, requestId: response.headers.get('x-request-id') ?? undefined, body: toBody(answer) }
}

function toTarget(url: string, path: string): URL {
  const base = url.endsWith('/') ? url : `${url}/`
  if (!/^https?:/i.test(url) || !URL.canParse(base)) {
    throw new SvcError('invalid_request', `--url must be an address like http://127.0.0.1:8787, not ${url}.`)
  }
  return new URL(path.replace(/^\//, ''), base)
}

function toBody(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // A proxy in between may answer with a page; it is shown as it is.
    return text
  }
}
