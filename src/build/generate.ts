/** Writes `src/generated/`: what is worked out once at build time, so that no start of the program pays for it. */
import { mkdir, writeFile } from 'node:fs/promises'
import { generateMessages } from './messages.js'
import { generatePayloadSchema } from './payload-schema.js'
import { generateTimeZones } from './time-zones.js'
import { generateValidators } from './validators.js'

const folder = new URL('../generated/', import.meta.url)

await mkdir(folder, { recursive: true })
await writeFile(new URL('validators.ts', folder), await generateValidators())
await writeFile(new URL('messages.ts', folder), await generateMessages())
await writeFile(new URL('time-zones.ts', folder), await generateTimeZones())
await writeFile(new URL('payload-schema.ts', folder), await generatePayloadSchema())
