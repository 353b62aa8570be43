import { compileMessageModule } from '../catalog/message-compiler.js'
import type { Texts } from '../catalog/texts.js'

/**
 * Returns the source of a module of `src/generated/`: every ICU message of `texts` as a function, and the hash of the
 * texts.
 */
export function generateMessages(texts: Texts): string {
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
