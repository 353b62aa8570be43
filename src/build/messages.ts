import type { Texts } from '../catalog.js'
import { compileMessageModule } from '../message-compiler.js'

/** The source of a module of `src/generated/`: every ICU message of `texts` compiled to a function, and the hash of the texts. */
export function generateMessages(texts: Texts): string {
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
