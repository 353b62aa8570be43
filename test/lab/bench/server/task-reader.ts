/**
 * Answers `GET /<task ID>` from a database file: `bare` with one prepared select, `store` with the task store. Both parse
 * the JSON in the row and serialize the response again.
 */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Database } from '../../../../src/adapters/sql/sqlite/driver.js'
import { openSqliteStore } from '../../../../src/adapters/sql/sqlite/open-store.js'

const [mode = '', file = ''] = process.argv.slice(2)

function answer(response: ServerResponse, value: unknown): void {
  const text = JSON.stringify(value)
  const head = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }
  response.writeHead(value === undefined ? 404 : 200, head).end(text)
}

async function openReader(): Promise<(id: string, response: ServerResponse) => void> {
  if (mode === 'store') {
    const store = await openSqliteStore(file)
    return async (id, response) => answer(response, await store.findTask(id))
  }
  const select = new Database(file, { readonly: true }).prepare('select * from tasks where id = ?')
  return (id, response) => {
    const row = select.get(id) as { input: string; units: string; missing: string }
    const parsed = { input: JSON.parse(row.input), units: JSON.parse(row.units), missing: JSON.parse(row.missing) }
    answer(response, { ...row, ...parsed })
  }
}

const read = await openReader()
const server = createServer((request, response) => read(request.url?.slice(1) ?? '', response))
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ port: (server.address() as AddressInfo).port })}\n`)
})
