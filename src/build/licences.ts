import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { Metafile } from 'esbuild'

/** Writes `dist/THIRD-PARTY-LICENSES.txt`: name, version and licence text of every package whose code is in a bundle. */
export function writeLicences(metafiles: readonly Metafile[], root: URL): void {
  const folders = new Set<string>()
  for (const input of metafiles.flatMap((metafile) => Object.keys(metafile.inputs))) {
    const folder = input.match(/^.*node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0]
    if (folder !== undefined) folders.add(folder)
  }
  const sections = [...folders].sort().map((folder) => describePackage(new URL(`${folder}/`, root)))
  writeFileSync(new URL('dist/THIRD-PARTY-LICENSES.txt', root), sections.join(`\n${'-'.repeat(80)}\n\n`))
}

function describePackage(folder: URL): string {
  const manifest = JSON.parse(readFileSync(new URL('package.json', folder), 'utf8'))
  const file = existsSync(folder) ? readdirSync(folder).find((name) => /^licen[cs]e/i.test(name)) : undefined
  const text = file === undefined ? `Licence: ${manifest.license}\n` : readFileSync(new URL(file, folder), 'utf8')
  return `${manifest.name} ${manifest.version}\n\n${text}`
}
