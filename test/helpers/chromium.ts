import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Browser } from 'playwright-core'

/** The first is Chromium without windows, which takes a seventh less CPU time. */
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']

/**
 * Each window would load two pages for the suggestions of its address bar, and each page would prepare a process for the
 * next one: half of the CPU time of a small page. The last `--disable-features` is valid, so that Playwright's are repeated.
 * A page needs no process that draws, the pages of a test can share one, and their functions run too few times to pay for
 * their optimization.
 */
const cheapFlags = [
  '--disable-gpu',
  '--in-process-gpu',
  '--process-per-site',
  '--js-flags=--no-maglev,--no-turbofan',
  '--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,SpareRendererForSitePerProcess,AimEnabled,' +
    'AvoidCorsURLLoaderRestartOnRedirect,AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,' +
    'HttpsFirstBalancedModeAutoEnable,HttpsUpgrades,LensOverlay,MediaRouter,NetworkTimeServiceQuerying,' +
    'OptimizationHints,PaintHolding,PreconnectToSearch,TcpPortRandomizationWin,ThirdPartyStoragePartitioning',
]

/** The reason for skipping tests without a browser. */
export const noChromium = `no browser: none of ${names.join(', ')} is on the PATH`

/** Returns the path of an installed Chromium, or undefined. */
export function findChromium(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable)
}

/** Starts the installed Chromium headless, or returns undefined. The caller closes it. */
export async function openChromium(flags: readonly string[] = []): Promise<Browser | undefined> {
  const executablePath = findChromium()
  if (executablePath === undefined) return undefined
  const { chromium } = await import('playwright-core')
  // Its sandbox does not start as root, as in CI containers.
  const args = [...cheapFlags, ...flags, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])]
  return chromium.launch({ executablePath, args, timeout: 100_000 })
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    // Missing or not executable.
    return false
  }
}
