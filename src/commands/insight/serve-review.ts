import { accessSync, constants } from 'node:fs'
import { relative, resolve } from 'node:path'
import { findStateFolder, readSurroundings } from '../../config.js'
import { findCatalogFolder } from '../../copydesk/review-input.js'
import { openDesk } from '../../copydesk/serve/desk.js'
import { serveDesk } from '../../copydesk/serve/server.js'
import { SvcError } from '../../errors.js'
import { count, toJsonText, toPrintable } from '../../text/words.js'
import { type CommandResult, nextSignal } from '../command.js'
import { openInBrowser } from '../demo/open-in-browser.js'

export interface DeskFlags {
  /** The folder of comments and notes. */
  readonly folder: string
  readonly open: boolean
  readonly json?: true
}

/**
 * `svc insight review --serve`: serves the review page until Ctrl-C, so that reviewers comment, edit and approve in the
 * browser. Returns 0. Throws where the catalog is not that of a checkout.
 */
export async function runServeReview(
  { folder: given, json, open }: DeskFlags,
  now: () => Date,
): Promise<CommandResult> {
  requireCheckout(findCatalogFolder())
  const folder = resolve(given)
  const stopped = nextSignal(['SIGINT', 'SIGTERM', 'SIGHUP'])
  const { canOpen, program } = readSurroundings()
  const desk = openDesk({
    folder,
    stateFolder: findStateFolder(),
    command: `${program.join(' ')} insight review --serve`,
    now,
  })
  const server = await serveDesk(desk, desk.findPort())
  let closePage = () => {}
  try {
    await desk.keepPort(server.port)
    const isOpened = open && canOpen
    process.stdout.write(
      json ? `${toJsonText({ event: 'ready', url: server.url, folder })}\n` : describe(server.url, isOpened),
    )
    if (isOpened) closePage = await openInBrowser(server.url)
    await stopped
  } finally {
    closePage()
    await server.close()
  }
  const comments = desk.notes.readComments().length
  if (comments > 0 && !json) {
    const file = toPrintable(relative(process.cwd(), desk.notes.commentFile))
    process.stdout.write(`${count(comments, 'comment')} in ${file}: svc insight comments ${file} lists them.\n`)
  }
  return 0
}

/** Throws where an edit would be lost with the next installation, or cannot be written. */
function requireCheckout(folder: string): void {
  const fix = 'Run it in a checkout of the project: node bin/svc.js insight review --serve'
  if (/[\\/]node_modules[\\/]/.test(folder)) {
    throw new SvcError('invalid_request', `${folder} belongs to an installed package, so edits would be lost. ${fix}`)
  }
  try {
    accessSync(folder, constants.W_OK)
  } catch (cause) {
    throw new SvcError('invalid_request', `${folder} does not exist or cannot be written. ${fix}`, { cause })
  }
}

function describe(url: string, isOpened: boolean): string {
  return [
    isOpened
      ? 'The texts open in your browser at this address:'
      : 'The texts are ready. Open this address in a browser:',
    `  ${url}`,
    'Anyone with this address can change and approve the texts: do not share it.',
    'Ctrl-C ends it; everything typed is kept.',
    '',
  ].join('\n')
}
