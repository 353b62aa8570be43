import { isAbsolute } from 'node:path'
import { glob } from 'tinyglobby'

/** Lists the files that match a pattern, sorted; those in `node_modules` only if the pattern names it. */
export async function listMatches(pattern: string): Promise<string[]> {
  const paths = await glob(pattern, {
    absolute: isAbsolute(pattern),
    expandDirectories: false,
    followSymbolicLinks: false,
  })
  return paths.filter((path) => pattern.includes('node_modules') || !path.includes('node_modules/')).sort()
}
