import { basename, relative } from 'node:path'
import { quote } from '../text/spelling.js'

/**
 * Returns the words that start this program again from the same folder: `node bin/svc.js`, `npx svc` or `svc`, as the caller
 * typed it.
 */
export function programName(
  script = process.argv[1] ?? '',
  folder = process.cwd(),
  npmCommand = process.env.npm_command,
): string {
  if (basename(script) === 'svc.js') return `node ${quote(shorterOf(relative(folder, script), script))}`
  return npmCommand === 'exec' ? 'npx svc' : 'svc'
}

function shorterOf(one: string, other: string): string {
  return one.length < other.length ? one : other
}
