import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const folder = fileURLToPath(new URL('../copydesk/browser/', import.meta.url))

/** Returns the script and the style of the review page as a module; the page embeds them. */
export async function generateReviewAssets(): Promise<string> {
  const script = await bundle('script.ts')
  const style = await bundle('style.css')
  return `export const reviewScript = ${JSON.stringify(script)}\nexport const reviewStyle = ${JSON.stringify(style)}\n`
}

/** Bundles as ASCII. Throws if the result contains the end tag of its own element. */
async function bundle(file: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [`${folder}${file}`],
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
