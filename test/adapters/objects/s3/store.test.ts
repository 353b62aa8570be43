import { createSecretKey } from 'node:crypto'
import { parseS3Address } from '../../../../src/adapters/objects/s3/address.js'
import { openS3Objects } from '../../../../src/adapters/objects/s3/store.js'
import { createUrlSignatures } from '../../../../src/adapters/secret.js'
import { testObjectStore } from '../../../conformance/objects.js'
import { s3Credentials, startS3 } from '../../../helpers/s3.js'

const signatures = createUrlSignatures(createSecretKey(Buffer.alloc(32)), 86_400)

testObjectStore('S3', async () => {
  const s3 = await startS3()
  const store = openS3Objects(parseS3Address(s3.address), s3Credentials, signatures)
  const close = async () => {
    await store.close()
    await s3.close()
  }
  return { store, close, keepsReplaced: false }
})
