import type { DrawingKind, DrawingOutput, DrawingRequest } from '../../../artist/protocol.js'

/** From the pool to a child process. */
export type DrawingCommand = { readonly type: 'draw'; readonly request: DrawingRequest } | { readonly type: 'stop' }

/** From a child process to the pool. */
export type DrawingReport =
  | { readonly type: 'progress'; readonly fraction: number }
  | { readonly type: 'done'; readonly output: DrawingOutput[DrawingKind] }
  | { readonly type: 'stopped' }
  /** The input cannot be drawn. */
  | { readonly type: 'refused'; readonly message: string; readonly cause: unknown }
