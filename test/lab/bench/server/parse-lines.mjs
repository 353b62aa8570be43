/** The least that a program of two threads can do with lines of JSON: each reads the file and parses every line of its half. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isMainThread, Worker, workerData } from 'node:worker_threads'

const file = isMainThread ? process.argv[2] : workerData
if (isMainThread) new Worker(fileURLToPath(import.meta.url), { workerData: file })

const bytes = readFileSync(file)
const middle = bytes.indexOf('\n', bytes.length / 2)
const [from, to] = isMainThread ? [middle + 1, bytes.length] : [0, middle + 1]
for (let start = from; start < to; ) {
  const end = bytes.indexOf('\n', start)
  JSON.parse(bytes.toString('utf8', start, end))
  start = end + 1
}
