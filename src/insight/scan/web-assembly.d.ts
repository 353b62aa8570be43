/** What is used of WebAssembly; the types of Node do not have it, and those of browsers have much that Node has not. */
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
