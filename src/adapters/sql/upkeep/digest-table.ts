import { createHash } from 'node:crypto'
import type { ScannedRow, UpkeepDatabase } from './upkeep-database.js'

export interface TableDigest {
  readonly rows: number
  /** The same for the same rows in any order, on either engine. */
  readonly hash: string
}

/** Reads a whole table. */
export async function digestTable(database: UpkeepDatabase, table: string): Promise<TableDigest> {
  // A sum of the rows' hashes, because the engines return the rows in different orders.
  const sums = new Uint32Array(8)
  let rows = 0
  for await (const batch of database.scan(table)) {
    rows += batch.rows.length
    for (const row of batch.rows) addHash(sums, row)
  }
  return { rows, hash: Buffer.from(sums.buffer).toString('hex') }
}

function addHash(sums: Uint32Array, row: ScannedRow): void {
  const members = Object.entries(row).sort(([one], [other]) => (one < other ? -1 : 1))
  const hash = createHash('sha256').update(JSON.stringify(members)).digest()
  for (let place = 0; place < sums.length; place++) {
    sums[place] = (sums[place] ?? 0) + hash.readUInt32LE(place * 4)
  }
}
