/** Shifts the clock of the process that loads it by CLOCK_AHEAD_MS. */
const { now: readClock } = Date
const aheadMs = Number(process.env.CLOCK_AHEAD_MS)
const now = () => readClock() + aheadMs

globalThis.Date = new Proxy(Date, {
  construct: (target, given, made) => Reflect.construct(target, given.length === 0 ? [now()] : given, made),
  get: (target, name) => (name === 'now' ? now : target[name]),
})
