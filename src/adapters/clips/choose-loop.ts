/** A part of a video: frames `start` until before `end`. */
export interface FrameSpan {
  readonly start: number
  readonly end: number
  /**
   * Mean difference between the frame at `end`, which is not shown, and the frame at `start` that replaces it; 0 to
   * 255.
   */
  readonly seam: number
  /** The typical difference between two consecutive frames. */
  readonly step: number
}

/** A loop keeps at least this part of the video. */
const leastPart = 0.4
/** Seams that differ by less count as equal: the longer loop wins. */
const tolerance = 0.5

/**
 * Chooses the part of a video that ends as it begins. `thumbnails` are small grey pictures of all frames, of one
 * size. If the last frame repeats the first, as in videos that models make as loops, it is left out.
 */
export function chooseLoop(thumbnails: readonly Uint8Array[]): FrameSpan {
  const count = thumbnails.length
  const at = (index: number) => thumbnails[index] ?? new Uint8Array()
  const steps = thumbnails.slice(1).map((thumbnail, index) => measureDifference(at(index), thumbnail))
  const step = steps.sort((one, other) => one - other)[steps.length >> 1] ?? 0
  const least = Math.max(1, Math.ceil(count * leastPart))
  let best: FrameSpan = { start: 0, end: count, seam: Number.POSITIVE_INFINITY, step }
  for (let length = count - 1; length >= least; length--) {
    for (let start = 0; start + length < count; start++) {
      const seam = measureDifference(at(start), at(start + length))
      if (seam < best.seam - tolerance) best = { start, end: start + length, seam, step }
    }
  }
  return best
}

function measureDifference(one: Uint8Array, other: Uint8Array): number {
  let sum = 0
  for (let index = 0; index < one.length; index++) sum += Math.abs((one[index] ?? 0) - (other[index] ?? 0))
  return sum / Math.max(1, one.length)
}
