/** What a thread is asked to draw. */
export interface Drawing {
  readonly kind: 'picture' | 'clip'
  readonly species: 'dog' | 'cat'
  readonly pose: string
  readonly photo: Uint8Array
}

/** A picture is `png`; a clip is `mp4` and `webp`. */
export type DrawingFiles = Readonly<Partial<Record<'png' | 'mp4' | 'webp', Uint8Array>>>

/** From the pool to a thread. */
export type Order = { readonly type: 'draw'; readonly drawing: Drawing } | { readonly type: 'stop' | 'close' }

/** From a thread to the pool. */
export type Report =
  | { readonly type: 'progress'; readonly fraction: number }
  | { readonly type: 'done'; readonly files: DrawingFiles }
  | { readonly type: 'stopped' }
  /** `message` is a sentence for the caller. */
  | { readonly type: 'refused'; readonly message: string; readonly cause: unknown }

/** How long every clip is. */
export const clipSeconds = 2
