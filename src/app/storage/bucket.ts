import { parseS3Address } from '../../adapters/objects/s3/address.js'
import { checkBucket } from '../../adapters/objects/s3/check.js'
import { openS3Objects, type S3ObjectStore } from '../../adapters/objects/s3/store.js'
import type { StorageConfig } from '../../config/storage.js'
import type { UrlSignatures } from '../../ports/objects.js'

const credentialsOf = ({ objectsKeyId, objectsSecret, objectsSessionToken }: StorageConfig) => ({
  keyId: objectsKeyId,
  secret: objectsSecret,
  ...(objectsSessionToken !== '' && { sessionToken: objectsSessionToken }),
})

/** Opens the configured bucket, without a request. Throws `invalid_request` if its address or its key is not valid. */
export function openBucket(config: StorageConfig, signatures: UrlSignatures): S3ObjectStore {
  return openS3Objects(parseS3Address(config.objects), credentialsOf(config), signatures)
}

/** Checks the bucket, its permissions and the clock. Returns a sentence with the fix for each fault. */
export function findBucketFaults(config: StorageConfig): Promise<string[]> {
  return checkBucket(parseS3Address(config.objects), credentialsOf(config))
}
