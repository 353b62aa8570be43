import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const folder = fileURLToPath(new URL('../review/browser/', import.meta.url))

/** The script and the style of the review page as a module: they stand in the page itself. */
export async function generateReviewAssets(): Promise<string> {
  const script = await bundle('script.ts')
  const style = await bundle('style.css')
  return `export const reviewScript = ${JSON.stringify(script)}\nexport const reviewStyle = ${JSON.stringify(style)}\n`
}

/** In a page a script may not hold what looks like its own end; ours is made of ASCII alone. */
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
  if (/<\/(script|style)/i.test(text)) throw new Error(`${file} holds the end of its own element.`)
  return text
}
