import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { userInfo } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseS3Address } from '../../src/adapters/objects/s3/address.js'
import { createS3Client, s3Limits } from '../../src/adapters/objects/s3/client.js'
import { openTemporaryFolder } from './temporary.js'

/** The first key may do everything, the second nothing. */
export const swiftCredentials = { keyId: 'pets:keeper', secret: 'keeper-secret' }
export const swiftStranger = { keyId: 'pets:stranger', secret: 'stranger-secret' }
/** More keys than this make a list of several pages. */
export const swiftKeysPerPage = 5

export type TestSwift = Awaited<ReturnType<typeof startSwift>>

const kinds = ['account', 'container', 'object', 'proxy'] as const
type Kind = (typeof kinds)[number]

/** Serves the configuration in folder $1 with the programs of folder $2 until standard input ends. The rest makes the rings. */
const script = `
folder=$1 programs=$2
shift 2
"$@" >"$folder/log" 2>&1
for kind in ${kinds.join(' ')}; do
  "$programs/swift-$kind-server" "$folder/$kind.conf" -v >>"$folder/log" 2>&1 &
  servers="$servers $!"
done
cat >/dev/null
kill $servers 2>/dev/null
wait
rm -rf "$folder"`

/** Makes the three rings in one run, each of one device; swift-ring-builder takes nine. */
const ringScript = `
import os, sys
from swift.common.ring import RingBuilder
folder, *ports = sys.argv[1:]
# Swift stores the metadata of an object in such an attribute: fail here if the file system does not support them.
os.setxattr(folder, 'user.swift', b'')
for kind, port in zip(('account', 'container', 'object'), ports):
    ring = RingBuilder(1, 1, 0)
    ring.add_dev({'region': 1, 'zone': 1, 'ip': '127.0.0.1', 'port': int(port), 'device': 'disk', 'weight': 1})
    ring.rebalance()
    ring.get_ring().save('%s/%s.ring.gz' % (folder, kind))
`

/** Returns the folder of Swift's programs; undefined if it is not installed. */
export function findSwift(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  return folders.find((folder) => kinds.every((kind) => existsSync(join(folder, `swift-${kind}-server`))))
}

/** Starts OpenStack Swift with its S3 API, which verifies each signature. It ends with this process at the latest. */
export async function startSwift(programs: string) {
  const { folder, write } = openTemporaryFolder()
  const ports = await findPorts()
  write('swift.conf', '[swift-hash]\nswift_hash_path_suffix = svc\n')
  write('devices/disk/.keep', '')
  for (const [index, kind] of kinds.entries()) write(`${kind}.conf`, configure(kind, Number(ports[index]), folder))
  const makeRings = [findPython(programs), '-c', ringScript, folder, ...ports.map(String)]
  const child = spawn('sh', ['-c', script, 'sh', folder, programs, ...makeRings], {
    detached: true,
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  const ended = once(child, 'exit')
  const close = async () => {
    child.stdin.end()
    await ended
  }
  const address = `s3://pets?endpoint=http://127.0.0.1:${ports.at(-1)}`
  try {
    // Before the others answer, a request to the proxy would make it avoid them for a minute.
    for (const port of ports) await waitUntilHealthy(`http://127.0.0.1:${port}/healthcheck`, join(folder, 'log'))
    await createBucket(address)
  } catch (error) {
    await close()
    throw error
  }
  /** The address is that of an empty bucket: `s3://…`. */
  return { address, close }
}

/** Finds a free port for each kind of server, below those that the system gives to other programs meanwhile. */
async function findPorts(): Promise<readonly number[]> {
  const ports = new Set<number>()
  while (ports.size < kinds.length) {
    const port = randomInt(20_000, 32_000)
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    await new Promise((resolve) => server.close(resolve))
    ports.add(port)
  }
  return [...ports]
}

/** Returns the Python that Swift is installed for, which may not be the first of the PATH. */
function findPython(programs: string): string {
  const [firstLine = ''] = readFileSync(join(programs, 'swift-proxy-server'), 'utf8').split('\n')
  return firstLine.replace(/^#!\s*/, '')
}

function configure(kind: Kind, port: number, folder: string): string {
  const filters = kind === 'proxy' ? 'healthcheck cache s3api tempauth slo' : 'healthcheck'
  return `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
workers = 0
user = ${userInfo().username}
swift_dir = ${folder}
devices = ${folder}/devices
mount_check = false
fallocate_reserve = 0
log_level = WARNING
[pipeline:main]
pipeline = ${filters} ${kind}-server
[app:${kind}-server]
use = egg:swift#${kind}
account_autocreate = true
# With the short defaults, a busy machine gets refusals, and lists without the newest objects.
conn_timeout = 30
node_timeout = 30
container_update_timeout = 30
[filter:healthcheck]
use = egg:swift#healthcheck
# tempauth asks for a cache. Nothing listens at port 0, so that each look-up misses.
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:0
[filter:s3api]
use = egg:swift#s3api
max_bucket_listing = ${swiftKeysPerPage}
[filter:slo]
use = egg:swift#slo
[filter:tempauth]
use = egg:swift#tempauth
${toUser(swiftCredentials)} .admin
${toUser(swiftStranger)}
`
}

const toUser = ({ keyId, secret }: typeof swiftCredentials) => `user_${keyId.replace(':', '_')} = ${secret}`

async function waitUntilHealthy(url: string, log: string): Promise<void> {
  for (const giveUpAt = Date.now() + 30_000; ; await delay(50)) {
    const answer = await fetch(url).catch(() => undefined)
    await answer?.body?.cancel()
    if (answer?.ok) return
    if (Date.now() > giveUpAt) throw new Error(`Swift does not start: ${readFileSync(log, 'utf8')}`)
  }
}

async function createBucket(address: string): Promise<void> {
  const { s3, close } = createS3Client(parseS3Address(address), swiftCredentials, s3Limits)
  const isCreated = await s3.createBucket()
  await close()
  if (!isCreated) throw new Error('Swift refuses to create a bucket.')
}
