#!/usr/bin/env node
// Starts the compiled program. This file is CommonJS (see package.json next to it): Node starts it 4 ms sooner than an ES module.
// Its syntax is that of Node 6, so that an old Node refuses with a sentence.
const least = require('../package.json').engines.node.slice(2)
const [major, minor] = process.versions.node.split('.').map(Number)
const [leastMajor, leastMinor] = least.split('.').map(Number)
const cli = `${__dirname}/../dist/cli.cjs`
if (major < leastMajor || (major === leastMajor && minor < leastMinor)) {
  process.stderr.write(`svc needs Node ${least} or newer, and this is Node ${process.versions.node}.\n`)
  process.exitCode = 2
} else if (require('node:fs').existsSync(cli)) {
  // Drawing keeps one thread of libuv busy per core; its four default threads stay free for files and DNS.
  const threads = process.env.UV_THREADPOOL_SIZE || require('node:os').availableParallelism() + 4
  process.env.UV_THREADPOOL_SIZE = String(threads)
  require('./load.js').loadCached()
  require(cli).main(process.argv)
} else {
  process.stderr.write(
    'svc is not built yet: dist/cli.cjs is missing. Run "npm ci" in its folder (a few minutes), or, where node_modules ' +
      'is there, "npm run build" (half a minute).\n',
  )
  process.exitCode = 2
}
