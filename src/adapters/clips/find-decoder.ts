import { accessSync, constants, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'
import type { Decoder } from './protocol.js'

/** Where the system's decoder may be: the file that was named, or the folders that programs are looked for in. */
export interface FfmpegPlaces {
  readonly path: string | undefined
  readonly folders: string | undefined
}

/** The absolute path of ffmpeg, or undefined if there is none that may be run. */
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
 * What decodes clips: ffmpeg, or else the package node-webcodecs, beside the program or in the working folder. Undefined
 * without either.
 */
export function findDecoder(places: FfmpegPlaces): Decoder | undefined {
  const ffmpeg = findFfmpeg(places)
  if (ffmpeg !== undefined) return { ffmpeg }
  for (const from of [import.meta.url, join(process.cwd(), 'package.json')]) {
    try {
      return { package: createRequire(from).resolve('node-webcodecs') }
    } catch {
      // It is not installed there.
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
