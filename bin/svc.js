#!/usr/bin/env node
// Starts the compiled program. This file is CommonJS (see package.json next to it): Node starts it 4 ms sooner than an ES module.

// Drawing keeps one thread of libuv busy per core; its four default threads stay free for files and DNS.
process.env.UV_THREADPOOL_SIZE ||= String(require('node:os').availableParallelism() + 4)

const cli = `${__dirname}/../dist/cli.cjs`
if (require('node:fs').existsSync(cli)) {
  require('./load.js').loadCached()
  require(cli).main(process.argv)
} else {
  process.stderr.write(
    'svc is not built yet: dist/cli.cjs is missing. Run "npm ci" in its folder (a few minutes), or, where node_modules ' +
      'is there, "npm run build" (half a minute).\n',
  )
  process.exitCode = 2
}
