const kibibyte = 1024
const mebibyte = 1024 * kibibyte

/** Bytes in words for a message: `10.01 MiB`, `900 KiB`: rounded up, so that what exceeds a limit does not read like the limit. */
export function formatSize(sizeBytes: number): string {
  const [unit, name] = sizeBytes < mebibyte ? [kibibyte, 'KiB'] : [mebibyte, 'MiB']
  return `${Math.ceil((sizeBytes / unit) * 100) / 100} ${name}`
}
