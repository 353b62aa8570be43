// Loads the bundles of dist/ with what V8 made of them when they were built: compiling them anew takes longer than a
// short command runs. V8 refuses what another version of itself wrote, and compiles as ever.
const { readFileSync } = require('node:fs')
const Module = require('node:module')
const { dirname } = require('node:path')
const { Script } = require('node:vm')

/** From here on `require` of a `.cjs` file takes the `.cjs.cache` beside it; answers the scripts that it loads. */
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
    // Only the bundles of short commands have one.
    return undefined
  }
}
