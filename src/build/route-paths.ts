import { routes } from '../contract/index.js'

/** Renders the method and the path of each route, so that clients call routes by name without loading their schemas. */
export function generateRoutePaths(): string {
  const rows = Object.entries(routes).map(
    ([name, { method, path }]) => `  ${name}: { method: '${method}', path: '${path}' },`,
  )
  return `export const routePaths = {\n${rows.join('\n')}\n} as const\n`
}
