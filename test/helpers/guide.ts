import { readFileSync } from 'node:fs'

/** Reads the built pages of the guide, in the order of its contents. */
export function readGuide() {
  const folder = new URL('../../dist/pages/api-docs/', import.meta.url)
  const first = readFileSync(new URL('index.html', folder), 'utf8')
  const contents = first.slice(
    first.indexOf('<nav class="contents"'),
    first.indexOf('</nav>', first.indexOf('id="contents"')),
  )
  const paths = [...contents.matchAll(/href="(api-docs[\w/-]*)"/g)].map(([, path = '']) => path)
  return paths.map((path) => ({
    path: `/${path}`,
    html: readFileSync(new URL(`${path.replace(/^api-docs\/?/, '') || 'index'}.html`, folder), 'utf8'),
  }))
}
