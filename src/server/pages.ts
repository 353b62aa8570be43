import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import type { H3Event } from 'h3'
import { shippedUrl } from '../entry.js'
import { SvcError } from '../errors.js'
import { isNamed } from './etag.js'
import { basePolicy, type Page } from './page-table.js'

export interface PageAnswer {
  readonly status: 200 | 304 | 308
  readonly headers: Readonly<Record<string, string>>
  readonly stream?: ReadableStream<Uint8Array>
}

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.jpg': 'image/jpeg',
  '.woff2': 'font/woff2',
}

/** Gives a page, or one of its files, to whoever asks. Throws `not_found` for what is not among them. */
export async function servePage(page: Page, { url, req }: H3Event): Promise<PageAnswer> {
  const below = url.pathname.slice(page.path.length + 1)
  // The page names its files as lying below it, which they do not from here.
  if (url.pathname === `${page.path}/`) return { status: 308, headers: { location: `..${page.path}` } }

  const { bytes, etag, type } = await findFile(page, below === '' ? 'index.html' : below)
  const headers = { ...describeSafety(page), etag, 'cache-control': isHashed(below) ? foreverCached : 'no-cache' }
  if (isNamed(req.headers.get('if-none-match'), etag)) return { status: 304, headers }
  const whole = { ...headers, 'content-type': type, 'content-length': String(bytes.byteLength) }
  return req.method === 'HEAD'
    ? { status: 200, headers: whole }
    : { status: 200, headers: whole, stream: new Blob([bytes]).stream() }
}

const foreverCached = 'public, max-age=31536000, immutable'

/** Whether the build put a hash of the content into the name. */
function isHashed(name: string): boolean {
  return /-[0-9A-Z]{8}\.\w+$/.test(name)
}

function describeSafety({ policy }: Page): Record<string, string> {
  const directives = Object.entries({ ...basePolicy, ...policy })
  return {
    'content-security-policy': directives.map(([name, sources]) => `${name} ${sources}`).join('; '),
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  }
}

interface ShippedFile {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly etag: string
  readonly type: string
}

/** Files that were asked for. All there are take less than a photo. */
const files = new Map<string, Promise<ShippedFile>>()

async function findFile({ folders }: Page, name: string): Promise<ShippedFile> {
  const [, place = '', file = ''] = /^((?:[\w-]+\/)*)(\w[\w.-]*)$/.exec(name) ?? []
  const folder = folders[place]
  const type = contentTypes[extname(file)]
  if (folder === undefined || type === undefined) throw new SvcError('not_found', 'There is nothing at this path.')
  const path = folder + file
  const found = files.get(path) ?? readShipped(path, type)
  files.set(path, found)
  try {
    return await found
  } catch (cause) {
    files.delete(path)
    throw new SvcError('not_found', 'There is nothing at this path.', { cause })
  }
}

async function readShipped(path: string, type: string): Promise<ShippedFile> {
  const bytes = new Uint8Array(await readFile(shippedUrl(path)))
  return { bytes, type, etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"` }
}
