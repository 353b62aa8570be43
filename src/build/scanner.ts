import { main } from 'assemblyscript/asc'

const source = 'src/insight/scan/assembly/index.ts'
const options = ['-O3', '--converge', '--noAssert', '--runtime', 'stub', '--importMemory', '--noExportMemory']

/** The source of `src/generated/scanner.ts`: the scanner as WebAssembly. Throws what its compiler says is wrong. */
export async function generateScanner(): Promise<string> {
  const file = 'scanner.wasm'
  const written = new Map<string, string | Uint8Array>()
  const { error, stderr } = await main([source, '--outFile', file, ...options], {
    writeFile: (name, contents) => {
      written.set(name, contents)
    },
  })
  const code = written.get(file)
  if (error !== null || !(code instanceof Uint8Array)) throw new Error(`The scanner does not compile.\n${stderr}`)
  return `/** WebAssembly, as base64. */\nexport const scannerCode = '${Buffer.from(code).toString('base64')}'\n`
}
