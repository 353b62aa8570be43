const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of the path is a file',
  ELOOP: 'its links form a circle',
  EIO: 'the disk does not answer',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'the name is too long',
  ENOSPC: 'the disk is full',
  EROFS: 'the disk is read-only',
}

/** Why the file system refused, in words. */
export function reasonOf(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  return reasons[code] ?? (cause instanceof Error ? cause.message : String(cause))
}
