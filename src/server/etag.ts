/** Whether a list of tags (`If-None-Match`) has this one; a weak tag of the same name is as good. */
export function isNamed(header: string | null, etag: string): boolean {
  const tags = (header ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes(etag) || tags.includes('*')
}
