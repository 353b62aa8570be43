import { SvcError } from '../errors.js'

/** An answer, read to its end: until then the connection may be lost. */
export interface Received {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Buffer
}

/** How a request gets to the service: over the network, or to an app in this process. */
export interface Transport {
  /** What paths are appended to; ends with a slash. */
  readonly base: string
  /** Throws `unavailable` when nobody answers, or not to the end. */
  send(request: Request): Promise<Received>
  /** Fetches the address of a stored file, as an answer named it; throws as `send` does. */
  open(url: string): Promise<Received>
}

/** To a server at `url`. Throws `invalid_request` when that is no address. */
export function createNetworkTransport(url: string): Transport {
  const base = url.endsWith('/') ? url : `${url}/`
  if (!/^https?:/i.test(url) || !URL.canParse(base)) {
    throw new SvcError('invalid_request', `--url must be an address like http://127.0.0.1:8787, not ${url}.`)
  }
  const send = async (request: Request | string) => {
    const place = typeof request === 'string' ? new URL(request).origin : url
    let message = `No server answers at ${place}. Start one with "svc serve", or give its --url.`
    try {
      const response = await fetch(request)
      message = `The server at ${place} did not end its answer: the connection was cut. Try again.`
      return await receive(response)
    } catch (cause) {
      throw new SvcError('unavailable', message, { cause })
    }
  }
  return { base, send, open: send }
}

/** To an app in this process, which answers as if it stood at `base`. */
export function createLocalTransport(
  answer: (request: Request) => Response | Promise<Response>,
  base: string,
): Transport {
  return {
    base,
    send: async (request) => receive(await answer(request)),
    // Whatever address the service is known by outside, the file is here.
    open: async (url) => {
      const { pathname, search } = new URL(url)
      const file = new URL(`${pathname.replace(/^.*?\/objects\//, 'objects/')}${search}`, base)
      return receive(await answer(new Request(file)))
    },
  }
}

async function receive(response: Response): Promise<Received> {
  const { status, headers } = response
  return { status, headers, bytes: Buffer.from(await response.arrayBuffer()) }
}
