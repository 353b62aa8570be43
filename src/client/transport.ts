import { SvcError } from '../errors.js'

/** How a request gets to the service: over the network, or to an app in this process. */
export interface Transport {
  /** What paths are appended to; ends with a slash. */
  readonly base: string
  /** Throws `unavailable` when nobody answers. */
  send(request: Request): Promise<Response>
  /** Fetches the address of a stored file, as an answer named it. */
  open(url: string): Promise<Response>
}

/** To a server at `url`. Throws `invalid_request` when that is no address. */
export function createNetworkTransport(url: string): Transport {
  const base = url.endsWith('/') ? url : `${url}/`
  if (!/^https?:/i.test(url) || !URL.canParse(base)) {
    throw new SvcError('invalid_request', `--url must be an address like http://127.0.0.1:8787, not ${url}.`)
  }
  const send = async (request: Request | string) => {
    try {
      return await fetch(request)
    } catch (cause) {
      const place = typeof request === 'string' ? new URL(request).origin : url
      throw new SvcError(
        'unavailable',
        `No server answers at ${place}. Start one with "svc serve", or give its --url.`,
        {
          cause,
        },
      )
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
    send: async (request) => answer(request),
    // Whatever address the service is known by outside, the file is here.
    open: async (url) => {
      const { pathname, search } = new URL(url)
      return answer(new Request(new URL(`${pathname.replace(/^.*?\/objects\//, 'objects/')}${search}`, base)))
    },
  }
}
