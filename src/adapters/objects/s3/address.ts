import { SvcError } from '../../../errors.js'

/** A bucket of an S3-compatible store. */
export interface S3Address {
  readonly bucket: string
  readonly region: string
  /** The origin of the service, for messages. */
  readonly endpoint: string
  /** The URL that keys are appended to. */
  readonly bucketUrl: string
}

const parameters = ['endpoint', 'region', 'style']
/** Most stores ignore the region or know this one. */
const defaultRegion = 'us-east-1'
const useVariables = 'Set SVC_OBJECTS_KEY_ID and SVC_OBJECTS_SECRET instead.'

/**
 * Parses `s3://BUCKET?endpoint=URL&region=NAME&style=host|path`. Without `endpoint` the bucket is on AWS. `style=host` puts
 * the bucket into the host name, `style=path` into the path; the default is `host` on AWS and `path` elsewhere.
 * Throws `invalid_request`. No message repeats the text, which may hold a secret by mistake.
 */
export function parseS3Address(text: string): S3Address {
  if (!text.startsWith('s3://') || !URL.canParse(text)) {
    throw refuse('is not valid. Write it like s3://my-bucket?endpoint=https://s3.example.com&region=us-east-1.')
  }
  const { username, password, host: bucket, pathname, hash, searchParams } = new URL(text)
  if (username !== '' || password !== '') throw refuse(`holds a user name or password. ${useVariables}`)
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) {
    throw refuse('has no valid bucket after s3://. Its name has 3 to 63 lowercase letters, digits, hyphens and dots.')
  }
  if (!['', '/'].includes(pathname) || hash !== '') {
    throw refuse('has a path or fragment after the bucket. Remove it; all keys begin with ai-gateway/.')
  }
  for (const name of searchParams.keys()) {
    if (!parameters.includes(name)) throw refuse('has an unknown parameter. Use `endpoint`, `region` and `style` only.')
    if (searchParams.getAll(name).length > 1) throw refuse(`has \`${name}\` twice. Give it once.`)
  }
  const region = searchParams.get('region') ?? defaultRegion
  if (!/^[A-Za-z0-9-]{1,64}$/.test(region)) throw refuse('has an invalid `region`. Write it like region=eu-central-1.')
  const given = searchParams.get('endpoint')
  const { origin, protocol, host, hostname } = parseEndpoint(given ?? `https://s3.${region}.amazonaws.com`)
  const style = searchParams.get('style') ?? (given === null && !bucket.includes('.') ? 'host' : 'path')
  if (style === 'path') return { bucket, region, endpoint: origin, bucketUrl: `${origin}/${bucket}` }
  if (style !== 'host') throw refuse('has an invalid `style`. Write style=host or style=path.')
  if (/^(\[|[\d.]+$)/.test(hostname))
    throw refuse('has `style=host` with an IP address. Use style=path or a host name.')
  if (bucket.includes('.') && protocol === 'https:') {
    throw refuse('has `style=host` with a bucket whose name holds a dot, which no certificate covers. Use style=path.')
  }
  return { bucket, region, endpoint: origin, bucketUrl: `${protocol}//${bucket}.${host}` }
}

/** Requires TLS beyond loopback, because the signature does not cover the bytes of an object. */
function parseEndpoint(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw refuse('has an `endpoint` that is not an HTTP or HTTPS URL. Write it like endpoint=https://s3.example.com.')
  }
  if (url.username !== '' || url.password !== '') {
    throw refuse(`has an \`endpoint\` with a user name or password. ${useVariables}`)
  }
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '') {
    throw refuse('has an `endpoint` with more than a host and a port. Remove the rest; the bucket follows s3://.')
  }
  if (url.protocol === 'http:' && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname)) {
    throw refuse('has an `endpoint` without TLS. Use https://; http:// is accepted for loopback only.')
  }
  return url
}

function refuse(rest: string): SvcError {
  return new SvcError('invalid_request', `The address of the object store ${rest}`)
}
