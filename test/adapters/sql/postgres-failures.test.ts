import { DatabaseError } from 'pg'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isCommitUnknown, retryAfterConflict } from '../../../src/adapters/sql/postgres/failures.js'
import { isUnavailable } from '../../../src/errors.js'

const failures = suite('errors of PostgreSQL')

const ofNode = (code: string) => Object.assign(new Error('it failed'), { code })
const ofServer = (code: string) => Object.assign(new DatabaseError('it failed', 1, 'error'), { code })

/** The errors, if an outage ends with them, and if the answer to a commit may be lost. */
const rows: readonly (readonly [title: string, error: Error, isOutage: boolean, isUnknown: boolean])[] = [
  ...['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN', 'ECONNABORTED', 'EPROTO'].map(
    (code) => [code, ofNode(code), true, true] as const,
  ),
  ['ERR_SSL_BAD_RECORD_TYPE', ofNode('ERR_SSL_BAD_RECORD_TYPE'), true, true],
  ['ERR_TLS_HANDSHAKE_TIMEOUT', ofNode('ERR_TLS_HANDSHAKE_TIMEOUT'), true, true],
  ['an end of the connection', new Error('Connection terminated unexpectedly'), true, true],
  ['no answer', new Error('Query read timeout'), true, true],
  ['an error that nobody knows', new Error('strange'), false, true],
  ['a shutdown', ofServer('57P01'), true, true],
  ['a failed connection of the server', ofServer('08006'), true, true],
  ['a time limit', ofServer('57014'), true, false],
  ['a read-only server', ofServer('25006'), true, false],
  ['a broken constraint', ofServer('23505'), false, false],
]

for (const [title, error, isOutage, isUnknown] of rows) {
  const says = `${isOutage ? 'an outage' : 'no outage'}, ${isUnknown ? 'an unknown' : 'no'} commit`
  failures(`takes ${title} for ${says}`, async () => {
    const thrown = await retryAfterConflict(() => Promise.reject(error)).catch((failure: unknown) => failure)
    assert.equal(
      [isUnavailable(thrown), isCommitUnknown(thrown), isCommitUnknown(error)],
      [isOutage, isUnknown, isUnknown],
    )
  })
}

failures.run()
