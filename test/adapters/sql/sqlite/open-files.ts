/** Opens the files `FOLDER/0.db`, `FOLDER/1.db`, …, each at a moment at which other processes open it too, and prints the errors. */
import { openSqlite } from '../../../../src/adapters/sql/sqlite/dialect.js'

const [folder = '', count = '', startsAt = ''] = process.argv.slice(2)
for (let index = 0; index < Number(count); index++) {
  while (Date.now() < Number(startsAt) + index * 10);
  try {
    openSqlite(`${folder}/${index}.db`).close()
  } catch (error) {
    process.stdout.write(`${index}: ${(error as Error).message}\n`)
  }
}
process.stdout.write('done\n')
