import type { IncomingMessage } from 'node:http'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createFindDefect } from '../../../src/server/node/request-head.js'

const head = suite('head of a request')

const statusOf = (bound: string, host: string, allowed: readonly string[] = []) => {
  const request = { headers: { host }, httpVersion: '1.1', rawHeaders: ['Host', host], url: '/' }
  return createFindDefect(bound, allowed)(request as unknown as IncomingMessage)?.status
}

for (const [url, status] of [
  ['/health?x', undefined],
  ['*', undefined],
  ['http://127.0.0.1:8787/health', undefined],
  ['http://[::x/health', '400 Bad Request'],
  ['http://', '400 Bad Request'],
  ['health', '400 Bad Request'],
] as const) {
  head(`${status === undefined ? 'answers' : 'refuses'} the target ${url}`, () => {
    const request = { headers: { host: 'localhost' }, httpVersion: '1.1', rawHeaders: ['Host', 'localhost'], url }
    assert.is(createFindDefect('127.0.0.1', [])(request as unknown as IncomingMessage)?.status, status)
  })
}

const answered: [bound: string, host: string, allowed?: string[]][] = [
  ['127.0.0.1', 'localhost'],
  ['127.0.0.1', 'LOCALHOST:8787'],
  ['127.0.0.1', 'localhost.:8787'],
  ['127.0.0.1', 'pets.localhost'],
  ['127.0.0.1', '127.0.0.1:8787'],
  ['127.0.0.1', '127.1'],
  ['127.0.0.1', '[::1]:8787'],
  ['192.168.1.5', '192.168.1.5:8787'],
  ['fe80::1', '[fe80::1]:8787'],
  ['pets.lan', 'pets.lan:8787'],
  ['0.0.0.0', '192.168.1.5:8787'],
  ['::', '[fe80::1]:8787'],
  ['127.0.0.1', 'pets.example.com', ['pets.example.com']],
  ['127.0.0.1', 'PETS.example.com:443', ['Pets.example.com']],
  ['127.0.0.1', 'pets.example.com', ['pets.example.com:8443']],
]
for (const [bound, host, allowed] of answered) {
  head(`answers ${host} if the server is bound to ${bound}${allowed ? ` and allows ${allowed}` : ''}`, () => {
    assert.is(statusOf(bound, host, allowed), undefined)
  })
}

const refused: [bound: string, host: string, allowed?: string[]][] = [
  ['127.0.0.1', 'rebound.example'],
  ['127.0.0.1', 'localhost.rebound.example'],
  ['127.0.0.1', '127.0.0.1.rebound.example'],
  ['127.0.0.1', '192.168.1.5'],
  ['192.168.1.5', '192.168.1.6'],
  ['0.0.0.0', 'rebound.example'],
  ['127.0.0.1', 'a.pets.example.com', ['pets.example.com']],
]
for (const [bound, host, allowed] of refused) {
  head(`refuses ${host} if the server is bound to ${bound}${allowed ? ` and allows ${allowed}` : ''}`, () => {
    assert.is(statusOf(bound, host, allowed), '421 Misdirected Request')
  })
}

head.run()
