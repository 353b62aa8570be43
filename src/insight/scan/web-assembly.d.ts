/**
 * The parts of WebAssembly in use: the types of Node.js do not have it, those of browsers have much that Node.js lacks.
 */
declare namespace WebAssembly {
  class Memory {
    constructor(limits: { readonly initial: number })
    readonly buffer: ArrayBuffer
  }
  class Module {
    constructor(code: Uint8Array)
  }
  class Instance {
    constructor(module: Module, imports: Readonly<Record<string, Readonly<Record<string, unknown>>>>)
    readonly exports: Readonly<Record<string, unknown>>
  }
}
