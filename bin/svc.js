#!/usr/bin/env node
// Starts the compiled program. This file is CommonJS (see package.json beside it): Node starts it 4 ms sooner than an ES module.

// Drawing keeps one of libuv's threads busy for each core; these four, its default, stay for files and names.
process.env.UV_THREADPOOL_SIZE ||= String(require('node:os').availableParallelism() + 4)

const cli = `${__dirname}/../dist/cli.cjs`
if (require('node:fs').existsSync(cli)) {
  require('./load.js').loadCached()
  require(cli).main(process.argv)
} else {
  process.stderr.write(
    'svc is not built yet: dist/cli.cjs is missing. Run "npm ci" (or "npm run build") in its folder.\n',
  )
  process.exitCode = 2
}
