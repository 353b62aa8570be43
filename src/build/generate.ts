/** Writes `src/generated/`: everything that is computed at build time rather than at each start. */
import { mkdir, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { Texts } from '../catalog/texts.js'

/**
 * IANA names that `Intl.supportedValuesOf` may omit, because it lists one name per zone. Names that are missing here
 * are looked up with Intl at run time.
 */
const otherNames = [
  'UTC',
  'GMT',
  'Etc/UTC',
  'Etc/GMT',
  'America/Argentina/Buenos_Aires',
  'America/Nuuk',
  'Asia/Ho_Chi_Minh',
  'Asia/Kathmandu',
  'Asia/Kolkata',
  'Asia/Yangon',
  'Atlantic/Faroe',
  'Europe/Kyiv',
  'Pacific/Chuuk',
  'Pacific/Pohnpei',
  'PRC',
  'Hongkong',
  'Singapore',
  'Japan',
  'US/Eastern',
  'US/Central',
  'US/Mountain',
  'US/Pacific',
]

const years = { from: Date.UTC(2024, 0, 1), until: Date.UTC(2036, 0, 1) }
const weekMs = 7 * 86_400_000

const folder = new URL('../generated/', import.meta.url)
const write = (file: string, content: string) => writeFile(new URL(file, folder), content)

await mkdir(folder, { recursive: true })
// The order matters, and each import waits for its turn: the catalog's check of arguments imports the core, which
// imports the time zones.
await write('time-zones.ts', generateTimeZones())
await write('payload-schema.ts', (await import('./payload-schema.js')).generatePayloadSchema())
await write('review-assets.ts', await generateReviewAssets())
await write('validators.ts', await (await import('./validators.js')).generateValidators())
const { readHomeTexts, readInsightTexts } = await import('../catalog/catalog.js')
const { compileMessageModule } = await import('../catalog/message-compiler.js')
await write('messages.ts', generateMessages(readInsightTexts()))
await write('home-messages.ts', generateMessages(readHomeTexts()))
const { generateRouteMatches, generateRoutePaths } = await import('./route-tables.js')
await write('route-paths.ts', generateRoutePaths())
await write('route-matches.ts', generateRouteMatches())

/**
 * Returns the source of `src/generated/time-zones.ts`: the usual time zone names by their minimum and maximum offset in
 * minutes over some years. Most dates follow from that; the first use of Intl takes 10 ms.
 */
function generateTimeZones(): string {
  const groups = new Map<string, string[]>()
  for (const name of [...new Set([...Intl.supportedValuesOf('timeZone'), ...otherNames])].sort()) {
    const offsets = readOffsets(name)
    const key = `${Math.min(...offsets)} ${Math.max(...offsets)}`
    groups.set(key, [...(groups.get(key) ?? []), name])
  }
  const rows = [...groups].map(([key, names]) => {
    const [least, greatest] = key.split(' ')
    return `  { least: ${least}, greatest: ${greatest}, names: ' ${names.join(' ')} ' },`
  })
  return [
    `export const offsetsKnown = { fromMs: ${years.from}, untilMs: ${years.until} }`,
    `export const timeZoneGroups = [\n${rows.join('\n')}\n]`,
    '',
  ].join('\n')
}

/** Returns the offsets of a zone in minutes, sampled weekly: no clock change lasts less than a week. */
function readOffsets(timeZone: string): Set<number> {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
  const offsets = new Set<number>()
  for (let instantMs = years.from - weekMs; instantMs < years.until + weekMs; instantMs += weekMs) {
    const [, sign, hours, minutes] = /([+-])(\d+):?(\d*)$/.exec(format.format(instantMs)) ?? [0, '+', 0, 0]
    const size = Number(hours) * 60 + Number(minutes)
    offsets.add(sign === '-' ? -size : size)
  }
  return offsets
}

/** Returns the script and the style of the review page as a module; the page embeds them. */
async function generateReviewAssets(): Promise<string> {
  const script = await bundle('script.ts')
  const style = await bundle('style.css')
  return `export const reviewScript = ${JSON.stringify(script)}\nexport const reviewStyle = ${JSON.stringify(style)}\n`
}

/** Bundles as ASCII. Throws if the result contains the end tag of its own element. */
async function bundle(file: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(`../copydesk/browser/${file}`, import.meta.url))],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: ['chrome123', 'firefox120', 'safari17.5'],
    charset: 'ascii',
  })
  const text = outputFiles[0]?.text.trim() ?? ''
  if (/<\/(script|style)/i.test(text)) throw new Error(`${file} contains the end tag of its own element.`)
  return text
}

/** Returns the source of a module: every ICU message of the texts as a function, and the hash of the texts. */
function generateMessages(texts: Texts): string {
  return [
    '// @ts-nocheck',
    "import type { Copy } from '../insight/types.js'",
    compileMessageModule(texts)
      .replace('"@messageformat/runtime"', "'../text/message-runtime.js'")
      .replace('export default', "export const messages: Copy['messages'] ="),
    `export const hash: string = '${texts.hash}'`,
    '',
  ].join('\n')
}
