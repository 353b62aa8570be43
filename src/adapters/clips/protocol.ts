/** A decoder by its absolute path: the system's ffmpeg, or the package node-webcodecs. */
export type Decoder = { readonly ffmpeg: string } | { readonly package: string }

/** The only request to the process that makes a loop. */
export interface LoopRequest {
  readonly mp4: Uint8Array
  /** Without a decoder, only the structure of the file is checked. */
  readonly decoder: Decoder | undefined
}

/** An animated WebP, or the reason for the failure as a sentence for the log. `isBroken` if no player can show the clip. */
export type LoopAnswer = { readonly webp: Uint8Array } | { readonly failure: string; readonly isBroken: boolean }

/** The process sends this once, when it is ready. */
export const ready = 'ready'

export const noDecoder =
  'No decoder for clips is installed, so clips of real models have no WebP. Install ffmpeg, or run npm install node-webcodecs.'
