/**
 * The least a Node server can do with feedback that is on disk before its answer: check that the picture exists, insert the
 * row, and commit all requests of a turn at once, with `synchronous = FULL`.
 */
import { createServer } from 'node:http'
import Database from 'better-sqlite3'

const database = new Database(process.argv[2])
database.pragma('synchronous = FULL')
const find = database.prepare('select 1 from units where image_key = ?')
const save = database.prepare(
  `insert into feedback (object_key, liked, selected, updated_at) values (?, ?, null, ?)
    on conflict (object_key) do update set liked = excluded.liked, updated_at = excluded.updated_at`,
)
const text = JSON.stringify({ result: { code: 200, message: 'saved', request_id: 'x'.repeat(30) } })
let waiting = []

const commit = database.transaction((turn) => {
  for (const { feedbacks } of turn) {
    for (const { cos_key, liked } of feedbacks) {
      if (find.get(cos_key) === undefined) throw new Error('no such picture')
      save.run(cos_key, Number(liked), Date.now())
    }
  }
})

function commitAll() {
  const turn = waiting
  waiting = []
  commit.immediate(turn.map(({ body }) => body))
  for (const { response } of turn) {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length }).end(text)
  }
}

const server = createServer((request, response) => {
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    const body = JSON.parse(Buffer.concat(chunks).toString())
    if (waiting.push({ body, response }) === 1) setImmediate(commitAll)
  })
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`${JSON.stringify({ port: server.address().port })}\n`))
