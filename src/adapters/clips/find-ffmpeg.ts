import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'

export const noFfmpeg =
  'ffmpeg is not installed, so clips of real models have no WebP. Install it (Debian: apt-get install ffmpeg; macOS: brew install ffmpeg), or name it in FFMPEG_PATH.'

/** The configured file, or the folders of the search path. */
export interface FfmpegPlaces {
  readonly path: string | undefined
  readonly folders: string | undefined
}

/** Returns the absolute path of ffmpeg, or undefined if no ffmpeg is executable. */
export function findFfmpeg({ path, folders = '' }: FfmpegPlaces): string | undefined {
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
