import { connect } from 'node:net'

/** Opens a raw connection to a server on loopback, which sends exactly the written bytes. */
export function openRaw(port: number) {
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
    write: (bytes: string | Uint8Array) => socket.write(bytes),
    /** Resolves with all input so far as soon as it matches. */
    until: (pattern: RegExp) => when(() => pattern.test(text)),
    /** Resolves with all input when the server has closed the connection. */
    ended: () => when(() => closed),
  }
}
