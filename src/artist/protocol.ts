import type { Look, Species } from './look.js'

/** The input of a drawing, by kind. */
export interface DrawingInput {
  readonly look: { readonly photo: Uint8Array; readonly species: Species }
  /** With a backdrop, a picture of a scene. */
  readonly picture: {
    readonly look: Look
    readonly pose: string
    readonly backdrop: Readonly<Record<string, unknown>> | undefined
  }
  readonly clip: { readonly look: Look; readonly pose: string }
}

/** The output of a drawing, by kind. */
export interface DrawingOutput {
  readonly look: Look
  /** A PNG file. */
  readonly picture: Uint8Array
  readonly clip: ClipFiles
}

export interface ClipFiles {
  readonly mp4: Uint8Array
  readonly webp: Uint8Array
}

export type DrawingKind = keyof DrawingOutput
export type DrawingRequest = {
  readonly [K in DrawingKind]: { readonly kind: K; readonly input: DrawingInput[K] }
}[DrawingKind]

/** Length of every clip. */
export const clipSeconds = 2
