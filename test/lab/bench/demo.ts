import { openChromium } from '../../helpers/chromium.js'
import { program } from '../../helpers/svc.js'
import { atMost, type BenchRow, row } from './row.js'
import { start, type World } from './server/processes.js'

const rounds = 3

/** Measures the wait of a new user: from the start of `svc demo` until its page shows the first finished avatar. */
export async function benchDemo({ keep }: World): Promise<BenchRow[]> {
  const what = 'svc demo to the first avatar on the page'
  const toRow = (values: readonly number[], note?: string) => [row('demo', what, values, atMost(10, 's'), note)]
  const browser = await openChromium()
  if (browser === undefined) return toRow([], 'skipped: no browser')
  keep({ stop: () => browser.close() })
  const seconds: number[] = []
  for (let round = 0; round < rounds; round++) {
    const startedAt = performance.now()
    const demo = await start(process.execPath, [program, 'demo', '--no-open', '--json'])
    const page = await browser.newPage()
    await page.goto(String(demo.ready.page))
    // The alt text of an avatar names its pose; until then the element shows the photo.
    await page.locator('#canvas img[alt*=", "]').waitFor()
    seconds.push((performance.now() - startedAt) / 1000)
    await page.close()
    await demo.stop()
  }
  return toRow(seconds)
}
