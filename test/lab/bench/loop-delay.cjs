// Loaded before a server: answers each message with the longest stall of its event loop since the last one, in milliseconds.
const { monitorEventLoopDelay } = require('node:perf_hooks')

const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()
process.on('message', () => {
  const longestMs = delay.max / 1e6
  delay.reset()
  process.send(longestMs)
})
process.channel.unref()
