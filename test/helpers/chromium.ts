import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Browser } from 'playwright-core'

const names = ['chromium', 'chromium-browser', 'google-chrome']

/** Why tests in a browser are skipped where there is none. */
export const noChromium = `no browser: none of ${names.join(', ')} is on the PATH`

/** The path of the machine's own Chromium, or undefined. */
export function findChromium(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable)
}

/** Starts the machine's Chromium without a window, or answers undefined where there is none. Whoever opens it closes it. */
export async function openChromium(): Promise<Browser | undefined> {
  const executablePath = findChromium()
  if (executablePath === undefined) return undefined
  const { chromium } = await import('playwright-core')
  // Its sandbox does not start for root, which CI containers run as.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  return chromium.launch({ executablePath, args })
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    // Not there, or not ours to run: the next one.
    return false
  }
}
