import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { Metafile } from 'esbuild'

/** Writes `dist/THIRD-PARTY-LICENSES.txt`: name, version and licence text of every bundled package. */
export function writeLicences(metafiles: readonly Metafile[], root: URL): void {
  const files = new Set(metafiles.flatMap((metafile) => Object.keys(metafile.inputs)))
  const folders = new Set<string>()
  for (const file of files) {
    const folder = findFolder(file)
    if (folder === undefined) continue
    folders.add(folder)
    for (const inside of listInside(file, folder, root)) folders.add(inside)
  }
  const sections = [...folders].sort().map((folder) => describePackage(new URL(`${folder}/`, root)))
  writeFileSync(new URL('dist/THIRD-PARTY-LICENSES.txt', root), sections.join(`\n${'-'.repeat(80)}\n\n`))
}

const findFolder = (file: string) => file.match(/^.*node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0]

/** Lists the packages inside a file that is a bundle, as its source map names them. */
function listInside(file: string, folder: string, root: URL): string[] {
  const maps = [`${file}.map`, `${file.replace(/\.js$/, '')}.min.js.map`]
  const map = maps.find((name) => existsSync(new URL(name, root)))
  if (map === undefined) return []
  const { sources }: { sources: readonly string[] } = JSON.parse(readFileSync(new URL(map, root), 'utf8'))
  const names = sources.flatMap((source) => findFolder(source)?.replace(/^.*node_modules\//, '') ?? [])
  return [...new Set(names)].map((name) => {
    const candidates = [`${folder}/node_modules/${name}`, `node_modules/${name}`]
    const found = candidates.find((candidate) => existsSync(new URL(candidate, root)))
    if (found === undefined) throw new Error(`${file} contains ${name}, whose licence was not found.`)
    return found
  })
}

function describePackage(folder: URL): string {
  const manifest = JSON.parse(readFileSync(new URL('package.json', folder), 'utf8'))
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name))
  const text = file === undefined ? `Licence: ${manifest.license}\n` : readFileSync(new URL(file, folder), 'utf8')
  return `${manifest.name} ${manifest.version}\n\n${text}`
}
