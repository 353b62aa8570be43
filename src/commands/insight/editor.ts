import { once } from 'node:events'
import { SvcError } from '../../errors.js'

/**
 * Opens a file in an editor, which may bring flags of its own (`code --wait`), and waits until it is closed.
 * Throws an SvcError when it cannot be started or says that it failed.
 */
export async function openEditor(editor: string, path: string): Promise<void> {
  // Takes Node 3 ms to load, which few commands need.
  const { spawn } = await import('node:child_process')
  const child =
    process.platform === 'win32'
      ? spawn(`${editor} "${path}"`, { stdio: 'inherit', shell: true })
      : spawn('/bin/sh', ['-c', `${editor} "$1"`, 'sh', path], { stdio: 'inherit' })
  // Ctrl-C in the editor is the editor's.
  const ignore = () => undefined
  process.on('SIGINT', ignore)
  try {
    const [code] = await once(child, 'exit')
    if (code === 0) return
    throw new SvcError(
      'invalid_request',
      `The editor (${editor}) failed${code === 127 ? ': there is no such command' : ''}. Name one that works in the variable VISUAL.`,
    )
  } finally {
    process.off('SIGINT', ignore)
  }
}
