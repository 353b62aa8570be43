import { styleText } from 'node:util'
import { mayBeTerminal } from './output.js'

export type Tone = 'bold' | 'dim' | 'underline' | 'red' | 'green' | 'yellow' | 'cyan'
export type Paint = (tone: Tone, text: string) => string

/** Creates a painter for a stream: colours on a terminal that supports them, never with NO_COLOR, never in a file or pipe. */
export function createPaint(stream: NodeJS.WriteStream): Paint {
  return stream.isTTY && stream.hasColors() ? (tone, text) => styleText(tone, text) : plain
}

/** Creates a painter for standard output. */
export function createStdoutPaint(): Paint {
  return mayBeTerminal() ? createPaint(process.stdout) : plain
}

export const plain: Paint = (_tone, text) => text
