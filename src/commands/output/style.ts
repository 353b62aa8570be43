import { styleText } from 'node:util'
import { mayBeTerminal } from './stream.js'

export type Tone = 'bold' | 'dim' | 'underline' | 'red' | 'green' | 'yellow' | 'cyan'
export type Paint = (tone: Tone, text: string) => string

/** Colours on a terminal that has them; never with NO_COLOR, never into a file or a pipe. */
export function createPaint(stream: NodeJS.WriteStream): Paint {
  return stream.isTTY && stream.hasColors() ? (tone, text) => styleText(tone, text) : plain
}

/** The same for standard output. */
export function createStdoutPaint(): Paint {
  return mayBeTerminal() ? createPaint(process.stdout) : plain
}

export const plain: Paint = (_tone, text) => text
