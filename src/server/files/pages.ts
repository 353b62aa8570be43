import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import type { H3Event } from 'h3'
import { SvcError } from '../../errors.js'
import { shippedUrl } from '../../runtime/entry.js'
import { basePolicy, type ServedPage } from './page-table.js'
import { answerFile, type FileAnswer, type StaticFile, toStaticFile } from './static-file.js'

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.jpg': 'image/jpeg',
  '.woff2': 'font/woff2',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.ts': 'text/plain; charset=utf-8',
  '.py': 'text/plain; charset=utf-8',
}

/**
 * Serves a page or one of its files. Throws `not_found` for any other path. `mediaOrigin` is the other origin of pictures and
 * clips.
 */
export async function servePage(page: ServedPage, { url, req }: H3Event, mediaOrigin?: string): Promise<FileAnswer> {
  const below = url.pathname.slice(page.path.length + 1)
  // The page's relative links work only without the trailing slash.
  if (url.pathname === `${page.path}/`) return { status: 308, headers: { location: `..${page.path}` } }

  // A name without an extension is that of a page.
  const { file: own = 'index.html' } = page
  const file = await findFile(page, below === '' ? own : /^[\w-]+$/.test(below) ? `${below}.html` : below)
  const answer = answerFile(file, req)
  const headers = { ...answer.headers, ...describeSafety(page, mediaOrigin) }
  // The name contains a content hash from the build.
  const isHashed = /-[0-9A-Z]{8}\.\w+$/.test(below)
  return { ...answer, headers: isHashed ? { ...headers, 'cache-control': foreverCached } : headers }
}

const foreverCached = 'public, max-age=31536000, immutable'

function describeSafety({ policy }: ServedPage, mediaOrigin: string | undefined): Record<string, string> {
  const directives = Object.entries({ ...basePolicy, ...policy }).map(([name, sources]) =>
    mediaOrigin !== undefined && /^(img|media)-src$/.test(name) ? [name, `${sources} ${mediaOrigin}`] : [name, sources],
  )
  return {
    'content-security-policy': directives.map(([name, sources]) => `${name} ${sources}`).join('; '),
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  }
}

/** Caches requested files. All of them together take less memory than a photo. */
const files = new Map<string, Promise<StaticFile>>()

async function findFile({ folders }: ServedPage, name: string): Promise<StaticFile> {
  const [, parent = '', file = ''] = /^((?:[\w-]+\/)*)(\w[\w.-]*)$/.exec(name) ?? []
  const folder = folders[parent]
  const type = contentTypes[extname(file)]
  const nothing = 'There is nothing at this path.'
  // The README of a shipped folder is not a page.
  if (folder === undefined || type === undefined || file === 'README.md') throw new SvcError('not_found', nothing)
  const path = folder + file
  const found = files.get(path) ?? readFile(shippedUrl(path)).then((bytes) => toStaticFile(new Uint8Array(bytes), type))
  files.set(path, found)
  return found.catch((cause) => {
    files.delete(path)
    throw new SvcError('not_found', nothing, { cause })
  })
}
