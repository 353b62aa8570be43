import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'

export const noFfmpeg =
  'ffmpeg is not installed, so clips of real models have no WebP. Install it (Debian: apt-get install ffmpeg; macOS: brew install ffmpeg), or name it in FFMPEG_PATH.'

/**
 * Returns the absolute path of ffmpeg, or undefined if no ffmpeg is executable. `path` is the configured file, `folders` the
 * search path.
 */
export function findFfmpeg(path: string | undefined, folders = ''): string | undefined {
  const name = process.platform === 'win32' ? 'ffmpeg.exe' : 'ffmpeg'
  const candidates =
    path === undefined
      ? folders
          .split(delimiter)
          .filter(Boolean)
          .map((folder) => join(folder, name))
      : [path]
  return candidates.find(isProgram)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
