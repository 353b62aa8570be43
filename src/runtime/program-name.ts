import { basename, join, relative } from 'node:path'
import manifest from '../../package.json' with { type: 'json' }
import { quote } from '../text/spelling.js'

/**
 * Returns the words that start this program again from the same folder: `node bin/svc.js`, `npx svc` or `svc`, as the caller
 * typed it.
 */
export function programName(script = process.argv[1] ?? '', folder = process.cwd()): string {
  if (basename(script) === 'svc.js') return `node ${quote(shorterOf(relative(folder, script), script))}`
  return script.endsWith(join('node_modules', '.bin', 'svc')) ? 'npx svc' : 'svc'
}

function shorterOf(one: string, other: string): string {
  return one.length < other.length ? one : other
}

/** The version of this program, from its package. */
export const version: string = manifest.version

/** The versions of Node.js that it runs on, from its package: `>=20.19`. */
export const nodeRange: string = manifest.engines.node
