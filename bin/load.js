// Loads the bundles of dist/ with the code cache that V8 wrote at build time: to compile them takes longer than a short
// command runs. V8 rejects a cache of another version and compiles.
const { readFileSync } = require('node:fs')
const Module = require('node:module')
const { dirname } = require('node:path')
const { Script } = require('node:vm')

/** Makes `require` of a `.cjs` file use the `.cjs.cache` next to it; returns the scripts that it loads. */
exports.loadCached = () => {
  const scripts = new Map()
  require.extensions['.cjs'] = (module, file) => {
    const script = new Script(Module.wrap(readFileSync(file, 'utf8')), { filename: file, cachedData: readCache(file) })
    scripts.set(file, script)
    const start = script.runInThisContext()
    start.call(module.exports, module.exports, Module.createRequire(file), module, file, dirname(file))
  }
  return scripts
}

function readCache(file) {
  try {
    return readFileSync(`${file}.cache`)
  } catch {
    // Only the bundles of short commands have a cache.
    return undefined
  }
}
