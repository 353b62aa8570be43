import type { Look, Species } from './look.js'

/** What a thread can be asked for, by kind. */
export interface Asked {
  readonly look: { readonly photo: Uint8Array; readonly species: Species }
  /** With a backdrop, a picture of a scene. */
  readonly picture: {
    readonly look: Look
    readonly pose: string
    readonly backdrop: Readonly<Record<string, unknown>> | undefined
  }
  readonly clip: { readonly look: Look; readonly pose: string }
}

/** What it makes of that. */
export interface Made {
  readonly look: Look
  /** A PNG file. */
  readonly picture: Uint8Array
  readonly clip: ClipFiles
}

export interface ClipFiles {
  readonly mp4: Uint8Array
  readonly webp: Uint8Array
}

export type Kind = keyof Made
export type Work = { readonly [K in Kind]: { readonly kind: K; readonly asked: Asked[K] } }[Kind]

/** From the pool to a thread. */
export type Order = { readonly type: 'work'; readonly work: Work } | { readonly type: 'stop' | 'close' }

/** From a thread to the pool. */
export type Report =
  | { readonly type: 'progress'; readonly fraction: number }
  | { readonly type: 'done'; readonly made: Made[Kind] }
  | { readonly type: 'stopped' }
  /** What cannot be drawn. */
  | { readonly type: 'refused'; readonly message: string; readonly cause: unknown }

/** How long every clip is. */
export const clipSeconds = 2
