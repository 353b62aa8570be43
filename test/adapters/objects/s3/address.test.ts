import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parseS3Address } from '../../../../src/adapters/objects/s3/address.js'

const address = suite('S3 address')

const accepted: Readonly<Record<string, string>> = {
  's3://pets': 'https://pets.s3.us-east-1.amazonaws.com us-east-1',
  's3://pets/?region=eu-central-1': 'https://pets.s3.eu-central-1.amazonaws.com eu-central-1',
  's3://pets.v2': 'https://s3.us-east-1.amazonaws.com/pets.v2 us-east-1',
  's3://pets?style=path': 'https://s3.us-east-1.amazonaws.com/pets us-east-1',
  's3://pets?endpoint=https://minio.example.com:9000': 'https://minio.example.com:9000/pets us-east-1',
  's3://pets-125?endpoint=https%3A%2F%2Fcos.ap-guangzhou.myqcloud.com&region=ap-guangzhou&style=host':
    'https://pets-125.cos.ap-guangzhou.myqcloud.com ap-guangzhou',
  's3://pets?endpoint=http://127.0.0.1:9000/&region=auto': 'http://127.0.0.1:9000/pets auto',
  's3://pets?endpoint=http://[::1]:9000': 'http://[::1]:9000/pets us-east-1',
  's3://pets?endpoint=http://localhost:9000&style=host': 'http://pets.localhost:9000 us-east-1',
}
for (const [text, expected] of Object.entries(accepted)) {
  address(`accepts ${text}`, () => {
    const { bucket, bucketUrl, region } = parseS3Address(text)
    assert.is(`${bucketUrl} ${region}`, expected)
    assert.is(bucket, /^s3:\/\/([\w.-]+)/.exec(text)?.[1])
  })
}

const refused: Readonly<Record<string, RegExp>> = {
  '': /is not valid\. Write it like s3:/,
  'https://pets.example.com': /is not valid/,
  's3://': /no valid bucket/,
  's3://Pets': /no valid bucket/,
  's3://pe': /no valid bucket/,
  's3://pets:9000': /no valid bucket/,
  's3://AKIA1:SECRET@pets': /user name or password\. Set SVC_OBJECTS_KEY_ID and SVC_OBJECTS_SECRET/,
  's3://pets/cats': /has a path/,
  's3://pets#SECRET': /fragment/,
  's3://pets?secret=SECRET': /unknown parameter\. Use `endpoint`, `region` and `style`/,
  's3://pets?region=a&region=b': /`region` twice/,
  's3://pets?region=': /invalid `region`/,
  's3://pets?style=dns': /invalid `style`\. Write style=host or style=path/,
  's3://pets?endpoint=minio': /`endpoint` that is not an HTTP/,
  's3://pets?endpoint=ftp://minio': /`endpoint` that is not an HTTP/,
  's3://pets?endpoint=https://a:SECRET@minio': /`endpoint` with a user name/,
  's3://pets?endpoint=https://minio/SECRET': /`endpoint` with more than a host/,
  's3://pets?endpoint=http://minio:9000': /`endpoint` without TLS/,
  's3://pets?endpoint=http://127.0.0.1.example.com': /`endpoint` without TLS/,
  's3://pets?endpoint=https://10.0.0.1&style=host': /`style=host` with an IP address/,
  's3://pets?endpoint=https://[fd00::1]&style=host': /`style=host` with an IP address/,
  's3://pets.v2?style=host': /a dot, which no certificate covers/,
}
for (const [text, expected] of Object.entries(refused)) {
  address(`refuses "${text}" and does not repeat secrets`, () => {
    assert.throws(
      () => parseS3Address(text),
      ({ code, message }: Error & { code?: string }) => {
        assert.is(code, 'invalid_request')
        assert.match(message, expected)
        assert.not.match(message.replace('SVC_OBJECTS_SECRET', ''), /AKIA1|SECRET/)
        return true
      },
    )
  })
}

address.run()
