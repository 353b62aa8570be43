/** What decodes: the system's ffmpeg, or the package node-webcodecs; each by its absolute path. */
export type Decoder = { readonly ffmpeg: string } | { readonly package: string }

/** What the process that makes loops is asked, once. */
export interface LoopRequest {
  readonly mp4: Uint8Array
  readonly decoder: Decoder
}

/** An animated WebP, or a sentence for the log: why there is none. */
export type LoopAnswer = { readonly webp: Uint8Array } | { readonly failure: string }

/** What the process says once, when it is able to work. */
export const ready = 'ready'
