import { connect, type Socket } from 'node:net'

/** A raw connection to a server on loopback: what is written is exactly what the server gets. */
export interface RawConnection {
  readonly socket: Socket
  write(bytes: string | Uint8Array): void
  /** Resolves with all that came so far as soon as it matches. */
  until(pattern: RegExp): Promise<string>
  /** Resolves with all that came when the server has closed the connection. */
  ended(): Promise<string>
}

export function openRaw(port: number): RawConnection {
  const socket = connect({ port, host: '127.0.0.1' })
  let text = ''
  let closed = false
  const waiting = new Set<() => void>()
  const wake = () => {
    for (const look of waiting) look()
  }
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
    wake()
  })
  // A reset is an end like any other; what came before it is what counts.
  socket.on('error', () => {})
  socket.on('close', () => {
    closed = true
    wake()
  })
  const when = (isThere: () => boolean) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        if (!isThere() && !closed) return
        waiting.delete(look)
        if (isThere()) resolve(text)
        else reject(new Error(`the server closed the connection after ${JSON.stringify(text)}`))
      }
      waiting.add(look)
      look()
    })
  return {
    socket,
    write: (bytes) => socket.write(bytes),
    until: (pattern) => when(() => pattern.test(text)),
    ended: () => when(() => closed),
  }
}
