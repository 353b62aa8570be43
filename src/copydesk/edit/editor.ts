import { once } from 'node:events'
import { SvcError } from '../../errors.js'

/**
 * Opens a file in an editor, whose command may have flags (`code --wait`), and waits until it exits.
 * Throws an SvcError if it cannot start or fails.
 */
export async function openEditor(editor: string, path: string): Promise<void> {
  // Loading it takes Node 3 ms, and few commands need it.
  const { spawn } = await import('node:child_process')
  const child =
    process.platform === 'win32'
      ? spawn(`${editor} "${path}"`, { stdio: 'inherit', shell: true })
      : spawn('/bin/sh', ['-c', `${editor} "$1"`, 'sh', path], { stdio: 'inherit' })
  // Ctrl-C belongs to the editor while it runs.
  const ignore = () => undefined
  process.on('SIGINT', ignore)
  try {
    const [code] = await once(child, 'exit')
    if (code === 0) return
    throw new SvcError(
      'invalid_request',
      `The editor (${editor}) failed${code === 127 ? ': the command was not found' : ''}. Set the variable VISUAL to one that works.`,
    )
  } finally {
    process.off('SIGINT', ignore)
  }
}
