import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { folderOf } from './postgres.js'
import { openTemporaryFolder } from './temporary.js'

const socketName = '.s.PGSQL.5432'

/** A statement on its way to the server. */
export interface PassingStatement {
  readonly text: string
  /** The texts that it commits, if it is the last of a transaction, or alone and writes. Empty otherwise. */
  readonly commits: readonly string[]
}

export type PostgresProxy = Awaited<ReturnType<typeof openPostgresProxy>>

/**
 * Opens a proxy to the server of `address`, on a socket in a folder of its own. If `losesAnswer` returns true for a statement,
 * the server runs and commits it, and its client loses the connection without an answer.
 */
export async function openPostgresProxy(address: string, losesAnswer: (statement: PassingStatement) => boolean) {
  const place = openTemporaryFolder()
  const sockets = new Set<Socket>()
  const links = new Set<{ isSilent: boolean }>()
  let isFrozen = false
  const server = createServer((client) => {
    const upstream = connect(join(folderOf(address), socketName))
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {}).on('close', () => void sockets.delete(socket))
    }
    const watch = watchSession(losesAnswer)
    const link = { isSilent: isFrozen }
    links.add(link)
    client.on('data', (bytes) => {
      if (link.isSilent) return
      watch.onRequest(bytes)
      upstream.write(bytes)
    })
    upstream.on('data', (bytes) => {
      if (link.isSilent) return
      const state = watch.onAnswer(bytes)
      if (state === 'passes') client.write(bytes)
      if (state === 'ended') client.destroy()
    })
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => client.destroy())
  })
  server.listen(join(place.folder, socketName))
  await once(server, 'listening')
  const url = new URL(address)
  url.searchParams.set('host', place.folder)
  return {
    /** The address of the database through the proxy. */
    address: url.href,
    /** Passes nothing on from now on, like a network that loses all packets, and closes nothing. */
    freeze() {
      isFrozen = true
      for (const link of links) link.isSilent = true
    },
    /** Lets new connections pass. Those that were frozen stay silent. */
    thaw() {
      isFrozen = false
    },
    async close(): Promise<void> {
      server.close()
      for (const socket of sockets) socket.destroy()
      if (server.listening) await once(server, 'close')
      place.close()
    },
  }
}

/** Follows the messages of a session: one statement after the other, prepared or not. */
function watchSession(losesAnswer: (statement: PassingStatement) => boolean) {
  const prepared = new Map<string, string>()
  let text = ''
  let written: string[] = []
  let isInTransaction = false
  let isLosing = false

  function begin(): void {
    // The next statement may follow before the server answers.
    if (/^\s*(begin|start transaction)\b/i.test(text)) isInTransaction = true
    if (/^\s*(insert|update|delete|with)\b/i.test(text) && /\b(insert into|update|delete from)\b/i.test(text))
      written.push(text)
    const isLast = isInTransaction ? /^commit\b/i.test(text) : true
    isLosing = losesAnswer({ text, commits: isLast ? written : [] })
  }

  const readRequests = createMessageReader(true, (type, body) => {
    if (type === 'P') {
      const [name = '', query = ''] = body.toString().split('\0')
      prepared.set(name, query)
      text = query
    } else if (type === 'B') text = prepared.get(body.toString().split('\0')[1] ?? '') ?? text
    else if (type === 'Q') text = body.toString().replace(/\0$/, '')
    if (type === 'Q' || type === 'S') begin()
  })
  let isReady = false
  const readAnswers = createMessageReader(false, (type, body) => {
    if (type !== 'Z') return
    isReady = true
    isInTransaction = body.toString() !== 'I'
    if (!isInTransaction) written = []
  })
  return {
    onRequest: readRequests,
    /** Tells if the bytes are passed on, dropped, or the last of an answer that is lost. */
    onAnswer(bytes: Buffer): 'passes' | 'dropped' | 'ended' {
      isReady = false
      readAnswers(bytes)
      if (!isLosing) return 'passes'
      return isReady ? 'ended' : 'dropped'
    },
  }
}

/** Splits a stream into messages: a letter, a length, and the rest. The first message of a client has no letter. */
function createMessageReader(isOfClient: boolean, onMessage: (type: string, body: Buffer) => void) {
  let left = Buffer.alloc(0)
  let isFirst = isOfClient
  return (bytes: Buffer): void => {
    left = Buffer.concat([left, bytes])
    for (;;) {
      const head = isFirst ? 0 : 1
      if (left.length < head + 4) return
      const end = head + left.readUInt32BE(head)
      if (left.length < end) return
      if (!isFirst) onMessage(left.toString('latin1', 0, 1), left.subarray(5, end))
      isFirst = false
      left = left.subarray(end)
    }
  }
}
