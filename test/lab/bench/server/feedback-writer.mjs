/**
 * The least a Node server can do with feedback that is on disk before its answer: look up the API key, check the fields and
 * that the picture exists, insert the row, and commit all requests of a turn at once, with `synchronous = FULL`.
 */
import { hash, randomUUID, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import Database from 'better-sqlite3'

const database = new Database(process.argv[2])
database.pragma('synchronous = FULL')
const find = database.prepare('select 1 from units where image_key = ?')
const save = database.prepare(
  `insert into feedback (object_key, liked, selected, updated_at) values (?, ?, null, ?)
    on conflict (object_key) do update set liked = excluded.liked, updated_at = excluded.updated_at`,
)
const findKey = database.prepare('select secret_hash from api_keys where id = ? and revoked_at is null').pluck()
let waiting = []

function isKey(text) {
  const stored = findKey.get(`key_${text.split('_')[1]}`)
  return stored !== undefined && timingSafeEqual(Buffer.from(stored, 'hex'), hash('sha256', text, 'buffer'))
}

function isFeedback({ cos_key, liked }) {
  return typeof cos_key === 'string' && cos_key.length <= 1024 && typeof liked === 'boolean'
}

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
    const id = randomUUID()
    const text = JSON.stringify({ result: { code: 200, message: 'The feedback was saved.', request_id: id } })
    const headers = { 'content-type': 'application/json', 'content-length': text.length, 'x-request-id': id }
    response.writeHead(200, headers).end(text)
  }
}

const server = createServer((request, response) => {
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    if (!isKey(request.headers.authorization.slice('Bearer '.length))) throw new Error('no such key')
    const body = JSON.parse(Buffer.concat(chunks).toString())
    if (!Array.isArray(body.feedbacks) || !body.feedbacks.every(isFeedback)) throw new Error('no feedback')
    if (waiting.push({ body, response }) === 1) setImmediate(commitAll)
  })
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`${JSON.stringify({ port: server.address().port })}\n`))
