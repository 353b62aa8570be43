/** Writes `src/generated/`: everything that is computed at build time rather than at each start. */
import { mkdir, writeFile } from 'node:fs/promises'

const folder = new URL('../generated/', import.meta.url)
const write = (file: string, content: string) => writeFile(new URL(file, folder), content)

await mkdir(folder, { recursive: true })
// The order matters, and each import waits for its turn: the catalog's check of arguments imports the core, which
// imports the time zones.
await write('time-zones.ts', await (await import('./time-zones.js')).generateTimeZones())
await write('payload-schema.ts', await (await import('./payload-schema.js')).generatePayloadSchema())
await write('review-assets.ts', await (await import('./review-assets.js')).generateReviewAssets())
await write('validators.ts', await (await import('./validators.js')).generateValidators())
const { readHomeTexts, readInsightTexts } = await import('../catalog/catalog.js')
const { generateMessages } = await import('./messages.js')
await write('messages.ts', generateMessages(readInsightTexts()))
await write('home-messages.ts', generateMessages(readHomeTexts()))
await write('route-paths.ts', (await import('./route-paths.js')).generateRoutePaths())
await write('route-matches.ts', (await import('./route-matches.js')).generateRouteMatches())
