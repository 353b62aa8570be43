/** Photos from callers: uploaded, or named by a URL. */

/** A normalized photo: a JPEG, upright, in sRGB, at most 2048 pixels a side, without metadata. */
export interface Photo {
  readonly jpeg: Buffer<ArrayBuffer>
  readonly width: number
  readonly height: number
}

export interface PhotoReader {
  /**
   * Throws `invalid_request` with the defect of the file and the fix; `field` is the field of the request. Throws
   * `unavailable` if the photo could not be read for another reason than its content.
   */
  readPhoto(bytes: Uint8Array, field: string): Promise<Photo>
  close(): Promise<void>
}

/** Returns the defect of a picture as the end of a sentence, or undefined if the picture is fine. */
export type CheckPicture = (bytes: Uint8Array) => Promise<string | undefined>

/** Returns a picture as a small JPEG for a frame of a clip or a reference; undefined if it cannot be converted. */
export type ToFrame = (bytes: Uint8Array) => Promise<Photo | undefined>

export interface Downloader {
  /** Throws `invalid_request` that names `field`. The message never reveals what a private address answered. */
  download(url: string, field: string): Promise<Buffer>
  close(): Promise<void>
}
