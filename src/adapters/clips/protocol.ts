/** A decoder by its absolute path: the system's ffmpeg, or the package node-webcodecs. */
export type Decoder = { readonly ffmpeg: string } | { readonly package: string }

/** The only request to the process that makes a loop. */
export interface LoopRequest {
  readonly mp4: Uint8Array
  readonly decoder: Decoder
}

/** An animated WebP, or the reason for the failure as a sentence for the log. */
export type LoopAnswer = { readonly webp: Uint8Array } | { readonly failure: string }

/** The process sends this once, when it is ready. */
export const ready = 'ready'
