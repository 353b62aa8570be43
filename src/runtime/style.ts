import { styleText } from 'node:util'
import { mayBeTerminal } from './output.js'

export type TextStyle = 'bold' | 'dim' | 'underline' | 'red' | 'green' | 'yellow' | 'cyan'
export type Paint = (tone: TextStyle, text: string) => string

/**
 * Creates a painter for a stream. `NO_COLOR` turns colors off and `FORCE_COLOR` on, also in a file or pipe (as the logs of
 * CI are); without them, a terminal that supports colors gets them.
 */
export function createPaint(stream: NodeJS.WriteStream, variables: NodeJS.ProcessEnv = process.env): Paint {
  const isPainted = findChoice(variables) ?? (stream.isTTY === true && stream.hasColors())
  // Newer versions of Node would ask standard output again, whichever stream this is.
  return isPainted ? (tone, text) => styleText(tone, text, { validateStream: false }) : plain
}

/** Creates a painter for standard output. */
export function createStdoutPaint(): Paint {
  return findChoice(process.env) === true || mayBeTerminal() ? createPaint(process.stdout) : plain
}

/** Returns the choice of the environment; undefined if it leaves it to the stream. An empty variable is not set. */
function findChoice({ NO_COLOR, FORCE_COLOR }: NodeJS.ProcessEnv): boolean | undefined {
  if (NO_COLOR) return false
  return FORCE_COLOR ? !['0', 'false'].includes(FORCE_COLOR) : undefined
}

/** Returns the width of the terminal on standard output; undefined for a file, a pipe, or an unknown width. */
export function findStdoutWidth(): number | undefined {
  return mayBeTerminal() && process.stdout.isTTY ? process.stdout.columns || undefined : undefined
}

export const plain: Paint = (_tone, text) => text
