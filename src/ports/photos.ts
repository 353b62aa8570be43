/** Photos that come from outside: uploaded, or named by their address. */

/** A photo fit to be kept: a JPEG, upright, in sRGB, at most 2048 pixels a side, free of metadata. */
export interface Photo {
  readonly jpeg: Buffer<ArrayBuffer>
  readonly width: number
  readonly height: number
}

export interface PhotoReader {
  /** Throws `invalid_request` that says what is wrong with the file and what would do; `field` is whose value it is. */
  readPhoto(bytes: Uint8Array, field: string): Promise<Photo>
  close(): Promise<void>
}

/** Says what is wrong with a picture, as the rest of a sentence; undefined if nothing is. */
export type CheckPicture = (bytes: Uint8Array) => Promise<string | undefined>

export interface Downloader {
  /** Throws `invalid_request` that names `field`; never tells what a private address answered. */
  download(url: string, field: string): Promise<Buffer>
  close(): Promise<void>
}
