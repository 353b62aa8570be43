// Loads the bundles of dist/ with the code cache that V8 wrote at build time: to compile them takes longer than a short
// command runs. The cache is of one version of Node. V8 rejects that of another V8, but not that of another Node with the same V8,
// whose own functions may be others: there, calls end at the wrong one.
const { readFileSync } = require('node:fs')
const Module = require('node:module')
const { dirname } = require('node:path')
const { Script } = require('node:vm')

/** Returns the file of the code cache of a bundle. */
exports.toCacheFile = (file) => `${file}.${process.version}.cache`

/** Makes `require` of a `.cjs` file use the code cache next to it; returns the scripts that it loads. */
exports.loadCached = () => {
  const scripts = new Map()
  require.extensions['.cjs'] = (module, file) => {
    // The build escapes all other characters than those of ASCII.
    const script = new Script(Module.wrap(readFileSync(file, 'latin1')), {
      filename: file,
      cachedData: readCache(file),
    })
    scripts.set(file, script)
    const start = script.runInThisContext()
    start.call(module.exports, module.exports, Module.createRequire(file), module, file, dirname(file))
  }
  return scripts
}

function readCache(file) {
  try {
    return readFileSync(exports.toCacheFile(file))
  } catch {
    // Only the bundles of short commands have a cache.
    return undefined
  }
}
