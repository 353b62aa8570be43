import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { globSync } from 'tinyglobby'
import manifest from '../../package.json' with { type: 'json' }
import examples from '../contract/examples.json' with { type: 'json' }
import { routes } from '../contract/index.js'
import { buildOpenApi } from '../contract/openapi.js'
import { type Encoding, encodedPath, nameContent } from '../runtime/encoded.js'

/** Compresses as far as possible: a server does it never, and this once. */
const compress: Readonly<Record<Encoding, (bytes: Uint8Array) => Promise<Uint8Array>>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength } }),
  gzip: (bytes) => promisify(gzip)(bytes, { level: 9 }),
}

/** A shorter text fits into one packet of the network as it is. */
const minimumBytes = 1400

/** Writes compressed copies of the texts that the server answers unchanged: the pages, their files, and `/openapi.json`. */
export async function writeEncoded(root: URL): Promise<void> {
  const files = globSync(['dist/pages/**/*.{html,js,css,json,svg,ts,py}', 'fixtures/insight/*.json'], {
    cwd: fileURLToPath(root),
  })
  const texts = [
    ...files.map((file) => readFileSync(new URL(file, root))),
    Buffer.from(JSON.stringify(buildOpenApi(routes, manifest.version, examples))),
  ]
  mkdirSync(new URL('dist/encoded/', root), { recursive: true })
  await Promise.all(texts.filter(({ byteLength }) => byteLength >= minimumBytes).flatMap((text) => write(text, root)))
}

function write(text: Uint8Array, root: URL): Promise<void>[] {
  const name = nameContent(text)
  return (Object.keys(compress) as Encoding[]).map(async (encoding) =>
    writeFileSync(new URL(encodedPath(name, encoding), root), await compress[encoding](text)),
  )
}
