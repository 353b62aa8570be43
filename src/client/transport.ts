import { SvcError } from '../errors.js'
import { programName } from '../runtime/program-name.js'

/** A response that was read to its end, so that the connection can no longer fail. */
export interface Received {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Buffer
}

/** Sends requests to the service: over the network, or to an app in this process. */
export interface Transport {
  /** The base URL of all paths; ends with a slash. */
  readonly base: string
  /** Throws `unavailable` if there is no response, or an incomplete one. */
  send(request: Request): Promise<Received>
  /** Fetches a stored file by its address in a response; throws as `send` does. */
  open(url: string): Promise<Received>
}

/** Connects to a server at `url`. Throws `invalid_request` if `url` is not a valid HTTP URL. */
export function createNetworkTransport(url: string): Transport {
  const base = url.endsWith('/') ? url : `${url}/`
  if (!/^https?:/i.test(url) || !URL.canParse(base)) {
    throw new SvcError('invalid_request', `--url must be a URL such as http://127.0.0.1:8787, not ${url}.`)
  }
  const send = async (request: Request | string) => {
    const origin = typeof request === 'string' ? new URL(request).origin : url
    let message = `No server answers at ${origin}. Start one with "${programName()} serve", or give its --url.`
    try {
      const response = await fetch(request)
      message = `The server at ${origin} did not complete its response: the connection was closed. Try again.`
      return await receive(response)
    } catch (cause) {
      throw new SvcError('unavailable', message, { cause })
    }
  }
  return { base, send, open: send }
}

/** Connects to an app in this process, which answers as if it were served at `base`. */
export function createLocalTransport(
  answer: (request: Request) => Response | Promise<Response>,
  base: string,
): Transport {
  const receiveOurs = async (response: Response) =>
    receive(response).catch((cause) => {
      throw new SvcError('unavailable', 'The service did not complete its response. Try again.', { cause })
    })
  return {
    base,
    send: async (request) => receiveOurs(await answer(request)),
    // The public address of the service may differ; its files are served by this app.
    open: async (url) => {
      const { pathname, search } = new URL(url)
      const file = new URL(`${pathname.replace(/^.*?\/objects\//, 'objects/')}${search}`, base)
      return receiveOurs(await answer(new Request(file)))
    },
  }
}

async function receive(response: Response): Promise<Received> {
  const { status, headers } = response
  return { status, headers, bytes: Buffer.from(await response.arrayBuffer()) }
}
