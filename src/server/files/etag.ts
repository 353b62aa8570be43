/** True if a list of tags (`If-None-Match`) contains this one. A weak tag matches the strong one. */
export function isNamed(header: string | null, etag: string): boolean {
  const tags = (header ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes(etag) || tags.includes('*')
}
