/** Writes what needs the bundles and the driver of SQLite: the code caches. Then the build is complete. */
import { writeCodeCaches } from './code-cache.js'
import { writeStamp } from './stamp.js'

await writeCodeCaches(new URL('../../', import.meta.url))
writeStamp()
