import { spawnSync } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { join } from 'node:path'
import { buildConnector } from 'undici'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createDownloader, type DownloaderOptions } from '../../../src/adapters/download/downloader.js'
import type { Connect } from '../../../src/adapters/download/get.js'
import { isPublicAddress } from '../../../src/adapters/download/get.js'
import { isSvcError } from '../../../src/errors.js'
import { version } from '../../../src/runtime/program-name.js'
import { reportSkip } from '../../helpers/skip.js'
import { openTemporaryFolder } from '../../helpers/temporary.js'
import { codeOf } from '../../helpers/thrown.js'

const downloads = suite('downloader')
const file = Buffer.from('what the photo reader will look at')
const ok = 'HTTP/1.1 200 OK\r\n'
const publicAddress = '93.184.216.34'
const noPublicAddress =
  '`source_image_url` cannot be reached: its host has no public address. Give an address that opens anywhere on the internet.'

const servers: { close(): unknown }[] = []
async function listen(listener: RequestListener, host = '127.0.0.1'): Promise<number> {
  const server = createServer(listener).listen(0, host)
  servers.push(server)
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/**
 * Starts a server that sends these bytes as its answer to any request, and then ends the connection or leaves it
 * open.
 */
async function listenRaw(answer: string, end = true) {
  const closing = new EventEmitter()
  const closed = once(closing, 'closed')
  const server = createTcpServer((socket) => {
    socket.on('error', () => {}).on('close', () => closing.emit('closed'))
    socket.once('data', () => (end ? socket.end(answer, 'latin1') : socket.write(answer, 'latin1')))
  }).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, closed }
}

downloads.after(() => {
  for (const server of servers) server.close()
})

/** Downloads from servers on loopback. */
async function downloadInside(url: string, options: Partial<DownloaderOptions> = {}): Promise<Buffer> {
  const downloader = createDownloader({ reach: () => 'anywhere', bytesAtMost: 1000, ...options })
  try {
    return await downloader.download(url, 'source_image_url')
  } finally {
    await downloader.close()
  }
}

/** Downloads as if from the internet: `names` resolves a host's name at each lookup. */
async function downloadOutside(
  url: string,
  names: Readonly<Record<string, string[][]>>,
): Promise<{ got: Buffer | string; dialed: string[] }> {
  const dialed: string[] = []
  const open = buildConnector({})
  const connect: Connect = (target, callback) => {
    dialed.push(target.hostname)
    open({ ...target, hostname: '127.0.0.1' }, callback)
  }
  const resolve = async (hostname: string) => {
    const answers = names[hostname]?.shift()
    if (answers === undefined) throw new Error('ENOTFOUND')
    return answers
  }
  const downloader = createDownloader({ reach: () => 'public', bytesAtMost: 1000, resolve, connect })
  const got = await downloader.download(url, 'source_image_url').catch(messageOf)
  await downloader.close()
  return { got, dialed }
}

function messageOf(error: unknown): string {
  assert.ok(isSvcError(error), `${error}`)
  assert.is(error.code, 'invalid_request')
  return error.message
}

async function refusalOf(downloading: Promise<Buffer>): Promise<string> {
  return messageOf(await downloading.catch((error: unknown) => error))
}

downloads('returns the bytes, and sends only its name and the accepted types', async () => {
  let asked: unknown
  const port = await listen(({ headers, url }, response) => {
    asked = { ...headers, url }
    response.end(file)
  })
  assert.equal(await downloadInside(`http://127.0.0.1:${port}/dog.jpg?size=1#top`), file)
  assert.equal(asked, {
    host: `127.0.0.1:${port}`,
    connection: 'close',
    'user-agent': `svc/${version}`,
    accept: 'image/jpeg, image/png, image/webp, */*;q=0.1',
    'accept-encoding': 'identity',
    url: '/dog.jpg?size=1',
  })
})

downloads('connects over IPv6', async () => {
  const port = await listen((_, response) => response.end(file), '::1').catch(() => undefined)
  if (port === undefined) return reportSkip('this machine has no IPv6')
  assert.equal(await downloadInside(`http://[::1]:${port}/`), file)
})

const refusedAddresses = [
  '127.0.0.1 127.255.0.9 0.0.0.0 0.1.2.3 10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254 169.254.0.23',
  '100.64.0.1 100.100.100.200 168.63.129.16 192.0.0.192 192.0.2.1 198.18.0.1 198.51.100.1 203.0.113.1 192.88.99.1',
  '224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255',
  ':: ::1 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:8.8.8.8 ::ffff:0:7f00:1 fe80::1 fe80::1%eth0 fc00::1',
  'fd00:ec2::254 fec0::1 ff02::1 100::1 64:ff9b::7f00:1 64:ff9b::a9fe:a9fe 64:ff9b:1::7f00:1 2002:7f00:1::1',
  '2002:a9fe:a9fe::1 2001::1 2001:0:4136:e378:8000:63bf:3fff:fdd2 2001:db8::1 2001:2::1 3fff::1 5f00::1 4000::1',
  '0x7f.1 0177.0.0.1 2130706433 not-an-address',
].flatMap((line) => line.split(' '))
for (const address of [...refusedAddresses, '']) {
  downloads(`does not connect to ${address || 'no address'}`, async () => {
    assert.is(isPublicAddress(address), false)
    const { got, dialed } = await downloadOutside('http://dog.test/', { 'dog.test': [[address]] })
    assert.equal({ got, dialed }, { got: noPublicAddress, dialed: [] })
  })
}
for (const address of ['8.8.8.8', publicAddress, '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450:4001::1']) {
  downloads(`treats ${address} as public`, () => assert.is(isPublicAddress(address), true))
}

const literals = [
  '127.0.0.1 127.1 2130706433 0x7f000001 017700000001 0x7f.0.0.1 127.0.0.1. %31%32%37.0.0.1 ①②⑦.0.0.1 169.254.169.254',
  '[::1] [::ffff:127.0.0.1] [::ffff:7f00:1] [fd00:ec2::254] [64:ff9b::7f00:1] 0 0.0.0.0',
].flatMap((line) => line.split(' '))
for (const host of literals) {
  downloads(`connects to no address for http://${host}/`, async () => {
    const { got, dialed } = await downloadOutside(`http://${host}/`, {})
    assert.equal({ got, dialed }, { got: noPublicAddress, dialed: [] })
  })
}

downloads('reports an unknown name and an internal one alike', async () => {
  const inside = await downloadOutside('http://intranet.test/', { 'intranet.test': [['10.0.0.1']] })
  const nowhere = await downloadOutside('http://intranet.test/', {})
  assert.equal(inside, nowhere)
})

downloads('connects to no address of a host if one of them is private', async () => {
  const { got, dialed } = await downloadOutside('http://dog.test/', { 'dog.test': [[publicAddress, '10.0.0.1']] })
  assert.equal({ got, dialed }, { got: noPublicAddress, dialed: [] })
})

downloads('connects to the checked address, and resolves the name once', async () => {
  const port = await listen(({ headers }, response) => response.end(headers.host))
  const { got, dialed } = await downloadOutside(`http://dog.test:${port}/`, {
    'dog.test': [[publicAddress], ['127.0.0.1']],
  })
  assert.is(String(got), `dog.test:${port}`)
  assert.equal(dialed, [publicAddress])
})

downloads('checks each redirect again, also to the same host', async () => {
  const port = await listen((_, response) => response.writeHead(302, { location: '/again' }).end())
  const { got, dialed } = await downloadOutside(`http://dog.test:${port}/`, {
    'dog.test': [[publicAddress], ['127.0.0.1']],
  })
  assert.equal({ got, dialed }, { got: noPublicAddress, dialed: [publicAddress] })
})

for (const location of ['http://127.0.0.1/', 'http://[::1]/', '//169.254.169.254/latest', 'http://2130706433/']) {
  downloads(`does not follow a redirect to ${location}`, async () => {
    const port = await listen((_, response) => response.writeHead(302, { location }).end())
    const { got, dialed } = await downloadOutside(`http://dog.test:${port}/`, { 'dog.test': [[publicAddress]] })
    assert.equal({ got, dialed }, { got: noPublicAddress, dialed: [publicAddress] })
  })
}

const notAccepted = 'has a user name or password, which is not accepted.'
for (const [url, says] of [
  ['ftp://example.com/dog.jpg', 'is not an HTTP or HTTPS URL.'],
  ['file:///etc/passwd', 'is not an HTTP or HTTPS URL.'],
  ['data:image/png;base64,AAAA', 'is not an HTTP or HTTPS URL.'],
  ['http://a:b@example.com/', notAccepted],
  ['http://user@example.com/', notAccepted],
  ['http://:secret@example.com/', notAccepted],
  ['http://[/', 'is not a valid URL.'],
  ['http://[fe80::1%25eth0]/', 'is not a valid URL.'],
] as const) {
  downloads(`does not request ${url}, nor follow a redirect to it`, async () => {
    assert.is(await refusalOf(downloadInside(url)), `\`source_image_url\` ${says}`)
    const port = await listen((_, response) => response.writeHead(307, { location: url }).end())
    const redirected = await refusalOf(downloadInside(`http://127.0.0.1:${port}/`))
    assert.is(redirected, `\`source_image_url\` redirects to an address that ${says}`)
  })
}

downloads('calls `reach` for each redirect', async () => {
  const port = await listen((_, response) => response.end(file))
  const from = await listen(({ url = '' }, response) => {
    response.writeHead(302, { location: decodeURIComponent(url.slice(1)) }).end()
  })
  const reach = ({ port: asked, pathname }: URL) =>
    asked === `${from}` || pathname === '/inside' ? 'anywhere' : 'public-https'
  const follow = (location: string) =>
    downloadInside(`http://127.0.0.1:${from}/${encodeURIComponent(location)}`, { reach })
  assert.equal(await follow(`http://127.0.0.1:${port}/inside`), file)
  for (const [location, says] of [
    [`http://127.0.0.1:${port}/`, '`source_image_url` redirects to an address that is not an HTTPS URL.'],
    [`https://127.0.0.1:${port}/`, noPublicAddress],
  ] as const) {
    assert.is(await refusalOf(follow(location)), says)
  }
})

downloads('follows three redirects, not four, and no loop', async () => {
  const port = await listen(({ url }, response) => {
    const left = Number(url?.slice(1))
    if (left === 0) response.end(file)
    else response.writeHead(301, { location: url === '/round' ? '/round' : `/${left - 1}` }).end('gone')
  })
  assert.equal(await downloadInside(`http://127.0.0.1:${port}/3`), file)
  for (const path of ['4', 'round']) {
    const message = await refusalOf(downloadInside(`http://127.0.0.1:${port}/${path}`))
    assert.is(message, '`source_image_url` redirects more than 3 times.')
  }
})

for (const status of [204, 206, 304, 404, 500]) {
  downloads(`reports status ${status} of a public server, but not of a private one`, async () => {
    const port = await listen((_, response) => response.writeHead(status, { 'x-secret': 'inside' }).end())
    const { got } = await downloadOutside(`http://dog.test:${port}/`, { 'dog.test': [[publicAddress]] })
    assert.is(got, `\`source_image_url\` answers with status ${status} instead of a picture.`)
    const inside = await refusalOf(downloadInside(`http://127.0.0.1:${port}/`))
    assert.is(inside, '`source_image_url` does not answer with a picture.')
  })
}

downloads('aborts an endless file when it is too large', async () => {
  const closing = new EventEmitter()
  const closed = once(closing, 'closed')
  const port = await listen((_, response) => {
    response.on('error', () => {}).on('close', () => closing.emit('closed'))
    const write = () => {
      while (response.write(Buffer.alloc(10_000))) {}
    }
    response.on('drain', write)
    write()
  })
  const message = await refusalOf(downloadInside(`http://127.0.0.1:${port}/`, { bytesAtMost: 1024 * 1024 }))
  assert.is(message, '`source_image_url` has more than 1 MiB. Give a smaller picture.')
  await closed
})

const tooLate = 'took longer than 0.2 seconds to download.'
const strange = 'cannot be reached: its server does not answer as it should.'
const answers: readonly (readonly [what: string, answer: string, end: boolean, says: string])[] = [
  ['too great a length', `${ok}Content-Length: 2000\r\n\r\n`, false, 'has more than 0.98 KiB. Give a smaller picture.'],
  ['less than its length', `${ok}Content-Length: 400\r\n\r\nxxxx`, true, 'was cut off on its way. Try again.'],
  [
    'a compressed file',
    `${ok}Content-Encoding: gzip\r\nContent-Length: 1\r\n\r\nx`,
    true,
    'answers with a compressed file. Serve the picture as it is.',
  ],
  ['nothing', '', false, tooLate],
  ['half a header', `${ok}Content-`, false, tooLate],
  ['half a body', `${ok}Content-Length: 100\r\n\r\nxx`, false, tooLate],
  ['another protocol', 'SSH-2.0-OpenSSH_9.2\r\n', true, strange],
  ['nothing and hangs up', '', true, strange],
  ['headers without end', `${ok}${'X-A: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n'.repeat(2000)}`, true, strange],
]
for (const [what, answer, end, says] of answers) {
  downloads(`refuses the answer of a server that sends ${what}, and closes the connection`, async () => {
    const { port, closed } = await listenRaw(answer, end)
    const options = says === tooLate ? { timeoutMs: 200 } : {}
    assert.is(await refusalOf(downloadInside(`http://127.0.0.1:${port}/`, options)), `\`source_image_url\` ${says}`)
    await closed
  })
}

downloads('times out on a name lookup', async () => {
  const resolve = () => new Promise<string[]>(() => {})
  const message = await refusalOf(downloadInside('http://dog.test/', { timeoutMs: 50, resolve }))
  assert.is(message, '`source_image_url` took longer than 0.05 seconds to download.')
})

downloads('tries the next address of a host that does not answer at the first', async () => {
  const port = await listen((_, response) => response.end(file))
  assert.equal(await downloadInside(`http://dog.test:${port}/`, { resolve: async () => ['::1', '127.0.0.1'] }), file)
})

downloads('accepts a certificate only for the name in the URL', async () => {
  const temporary = openTemporaryFolder()
  const [key, certificate] = [join(temporary.folder, 'key.pem'), join(temporary.folder, 'certificate.pem')]
  const made = spawnSync('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'],
    ...['-subj', '/CN=dog.test', '-addext', 'subjectAltName=DNS:dog.test', '-keyout', key, '-out', certificate],
  ])
  if (made.status !== 0) {
    temporary.close()
    return reportSkip('openssl, which makes a certificate, is not installed')
  }
  const ca = readFileSync(certificate)
  const server = createTlsServer({ key: readFileSync(key), cert: ca }, (_, response) => response.end(file))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const options = { resolve: async () => ['127.0.0.1'], connect: buildConnector({ ca }) }
  assert.equal(await downloadInside(`https://dog.test:${port}/`, options), file)
  for (const url of [`https://cat.test:${port}/`, `https://127.0.0.1:${port}/`]) {
    assert.match(await refusalOf(downloadInside(url, options)), 'its server does not answer as it should')
  }
  const { resolve } = options
  const unknown = await refusalOf(downloadInside(`https://dog.test:${port}/`, { resolve }))
  assert.match(unknown, 'its server does not answer as it should')
  server.close()
  temporary.close()
})

downloads('aborts running downloads on closing, and starts no more', async () => {
  const { port } = await listenRaw(`${ok}Content-Length: 100\r\n\r\nxx`, false)
  const downloader = createDownloader({ reach: () => 'anywhere', bytesAtMost: 1000 })
  const download = () => codeOf(downloader.download(`http://127.0.0.1:${port}/`, 'source_image_url'))
  const downloading = download()
  await downloader.close()
  assert.equal([await downloading, await download()], ['unavailable', 'unavailable'])
})

downloads('runs 32 at a time; one that has waited too long is rejected', async () => {
  let begun = 0
  const resolve = () => new Promise<string[]>(() => void begun++)
  const downloader = createDownloader({ reach: () => 'anywhere', bytesAtMost: 1000, resolve, waitMs: 20 })
  const all = Array.from({ length: 33 }, () =>
    downloader.download('http://dog.test/', 'x').catch(({ message }) => message),
  )
  assert.match(await all[32], 'Too many photos are being downloaded')
  assert.is(begun, 32)
  await downloader.close()
  assert.match(await all[31], 'is stopping')
})

downloads('starts waiting downloads as others end', async () => {
  const { port } = await listenRaw(`${ok}Content-Length: 2\r\n\r\nxx`)
  const downloader = createDownloader({ reach: () => 'anywhere', bytesAtMost: 1000 })
  const all = Array.from({ length: 100 }, () => downloader.download(`http://127.0.0.1:${port}/`, 'x'))
  for (const bytes of await Promise.all(all)) assert.is(String(bytes), 'xx')
  await downloader.close()
})

downloads.run()
