import type { RequestEntry, RequestLog } from './request-log.js'

/** Returns the log, which passes each entry of a call on as well. */
export function watchCalls(log: RequestLog, onCall: (call: RequestEntry) => void): RequestLog {
  return {
    write(entry) {
      log.write(entry)
      if ('status' in entry) onCall(entry)
    },
    flush: () => log.flush(),
    close: () => log.close(),
  }
}
