import { connect, type Socket } from 'node:net'

/** A raw connection to a server on loopback, which sends exactly the written bytes. */
export interface RawConnection {
  readonly socket: Socket
  write(bytes: string | Uint8Array): void
  /** Resolves with all input so far as soon as it matches. */
  until(pattern: RegExp): Promise<string>
  /** Resolves with all input when the server has closed the connection. */
  ended(): Promise<string>
}

export function openRaw(port: number): RawConnection {
  const socket = connect({ port, host: '127.0.0.1' })
  let text = ''
  let closed = false
  const waiting = new Set<() => void>()
  const wake = () => {
    for (const check of waiting) check()
  }
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
    wake()
  })
  // A reset counts as a normal end; only the input before it matters.
  socket.on('error', () => {})
  socket.on('close', () => {
    closed = true
    wake()
  })
  const when = (isReady: () => boolean) =>
    new Promise<string>((resolve, reject) => {
      const check = () => {
        if (!isReady() && !closed) return
        waiting.delete(check)
        if (isReady()) resolve(text)
        else reject(new Error(`the server closed the connection after ${JSON.stringify(text)}`))
      }
      waiting.add(check)
      check()
    })
  return {
    socket,
    write: (bytes) => socket.write(bytes),
    until: (pattern) => when(() => pattern.test(text)),
    ended: () => when(() => closed),
  }
}
