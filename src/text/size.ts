const kibibyte = 1024
const mebibyte = 1024 * kibibyte

/** Formats bytes as `10.01 MiB` or `900 KiB`. Rounds up, so that a size over a limit never reads like the limit. */
export function formatSize(sizeBytes: number): string {
  const [unit, name] = sizeBytes < mebibyte ? [kibibyte, 'KiB'] : [mebibyte, 'MiB']
  return `${Math.ceil((sizeBytes / unit) * 100) / 100} ${name}`
}
