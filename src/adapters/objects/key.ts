const charactersAtMost = 512
const segmentCharactersAtMost = 200

/**
 * Whether a text is an object key: `ai-gateway/` and segments of letters, digits, `.`, `_` and `-`, none of which begins
 * with a dot. Such a key is a path below any folder and of any system, and needs no escape in an address.
 * @NOTE contract: the layout is not shown; the prefix is that of keys which diary pictures take.
 */
export function isObjectKey(key: string): boolean {
  return (
    key.length <= charactersAtMost &&
    /^ai-gateway(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)+$/.test(key) &&
    !key.includes('..') &&
    key.split('/').every((segment) => segment.length <= segmentCharactersAtMost)
  )
}

const typeByEnding: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  mp4: 'video/mp4',
}

export function contentTypeOf(key: string): string {
  return typeByEnding[/\.(\w+)$/.exec(key)?.[1]?.toLowerCase() ?? ''] ?? 'application/octet-stream'
}
