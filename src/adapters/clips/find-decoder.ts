import { accessSync, constants, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'
import type { Decoder } from './protocol.js'

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

/**
 * Finds a decoder of clips: ffmpeg, or else the package node-webcodecs, next to the program or in the working folder.
 */
export function findDecoder(places: FfmpegPlaces): Decoder | undefined {
  const ffmpeg = findFfmpeg(places)
  if (ffmpeg !== undefined) return { ffmpeg }
  for (const from of [import.meta.url, join(process.cwd(), 'package.json')]) {
    try {
      return { package: createRequire(from).resolve('node-webcodecs') }
    } catch {
      // Not installed there.
    }
  }
  return undefined
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
