import { readInsightTexts } from '../catalog.js'
import { compileMessageModule } from '../message-compiler.js'

/** The source of `src/generated/messages.ts`: every ICU message of the catalog compiled to a function, and the hash of the texts. */
export async function generateMessages(): Promise<string> {
  const texts = readInsightTexts()
  return [
    '// @ts-nocheck',
    "import type { Copy } from '../insight/types.js'",
    compileMessageModule(texts)
      .replace('"@messageformat/runtime"', "'../message-runtime.js'")
      .replace('export default', "export const messages: Copy['messages'] ="),
    `export const hash: string = '${texts.hash}'`,
    '',
  ].join('\n')
}
