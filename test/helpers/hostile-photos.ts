/** Malicious and malformed pictures, built byte by byte, and the valid ones that they are made from. */
import { crc32, deflateSync, gzipSync } from 'node:zlib'
import sharp, { type JpegOptions, type Sharp } from 'sharp'

export const red = [220, 30, 30]
export const green = [30, 200, 30]
/** The colors of a drawing: top left, top right, bottom left, bottom right. */
export const quarters: readonly (readonly number[])[] = [red, green, [30, 30, 220], [235, 235, 235]]

/** A drawing with distinct corners, under slow waves. */
export async function drawPhoto(width: number, height: number): Promise<Sharp> {
  const side = 64
  const data = Buffer.alloc(side * side * 3)
  for (let at = 0; at < side * side; at++) {
    const [x, y] = [at % side, Math.floor(at / side)]
    const color = quarters[(x < side / 2 ? 0 : 1) + (y < side / 2 ? 0 : 2)] ?? []
    const wave = Math.round(10 * Math.sin((x * 7 + y * 3) / 5))
    for (let channel = 0; channel < 3; channel++) data[at * 3 + channel] = (color[channel] ?? 0) + wave
  }
  const small = sharp(data, { raw: { width: side, height: side, channels: 3 } })
  const drawn = await small.resize(width, height, { fit: 'fill', kernel: 'nearest' }).raw().toBuffer()
  return sharp(drawn, { raw: { width, height, channels: 3 } })
}

export async function drawJpeg(width: number, height: number, options: JpegOptions = {}): Promise<Buffer> {
  return (await drawPhoto(width, height)).jpeg({ quality: 80, ...options }).toBuffer()
}

export async function drawPng(width: number, height: number): Promise<Buffer> {
  return (await drawPhoto(width, height)).png({ compressionLevel: 3 }).toBuffer()
}

/** A chunk of a PNG with its length and checksum. */
export function pngChunk(type: string, data: Uint8Array = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  return Buffer.concat([uint32(data.length), body, uint32(crc32(body))])
}

/** A PNG from its header values, raw rows (each with its filter byte) and chunks that precede the rows. */
export function makePng(
  { width, height, depth = 8, color = 2 }: { width: number; height: number; depth?: number; color?: number },
  rows: Uint8Array,
  before: readonly Buffer[] = [],
): Buffer {
  const header = Buffer.concat([uint32(width), uint32(height), Buffer.from([depth, color, 0, 0, 0])])
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    ...before,
    pngChunk('IDAT', pack(rows)),
    pngChunk('IEND'),
  ])
}

/** To pack 50 MB of zeros well takes twice as long. */
const pack = (data: Uint8Array) => deflateSync(data, { level: 1 })

/** Rows of `rowBytes` bytes for a PNG of one byte per channel, in a pattern. */
export function patternRows(height: number, rowBytes: number): Buffer {
  const rows = Buffer.alloc(height * (rowBytes + 1))
  // Its values repeat after 256 bytes. To compute each of 40 million takes seconds.
  const pattern = Uint8Array.from({ length: 256 }, (_, x) => x * 3)
  for (let y = 0; y < height; y++) {
    const start = y * (rowBytes + 1) + 1
    rows.fill(
      pattern.map((value) => value + y * 5),
      start,
      start + rowBytes,
    )
  }
  return rows
}

/** Inserts segments (`COM`, `APP13`, …) after the start of a JPEG. */
export function insertSegments(jpeg: Buffer, segments: readonly (readonly [marker: number, data: Buffer])[]): Buffer {
  const made = segments.map(([marker, data]) =>
    Buffer.concat([Buffer.from([0xff, marker]), uint16(data.length + 2), data]),
  )
  return Buffer.concat([jpeg.subarray(0, 2), ...made, jpeg.subarray(2)])
}

/** Inserts chunks after the header of a PNG. */
export function insertChunks(png: Buffer, chunks: readonly Buffer[]): Buffer {
  return Buffer.concat([png.subarray(0, 33), ...chunks, png.subarray(33)])
}

/** The minimal EXIF segment with an orientation. */
export function exifOrientation(value: number): Buffer {
  const tiff = Buffer.from('49492a0008000000010012010300010000000000000000000000', 'hex')
  tiff.writeUInt16LE(value, 18)
  return Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff])
}

/** A JPEG whose last scan is repeated. */
async function makeManyScans(scans: number): Promise<Buffer> {
  const jpeg = await drawJpeg(1024, 1024, { progressive: true })
  const last = jpeg.subarray(jpeg.lastIndexOf(Buffer.from([0xff, 0xda])), -2)
  return Buffer.concat([jpeg.subarray(0, -2), ...Array.from({ length: scans }, () => last), jpeg.subarray(-2)])
}

/** A lossless WebP of 34 bytes that claims 16383 pixels per side. */
function makeHugeWebp(): Buffer {
  const bits = Buffer.alloc(14)
  bits[0] = 0x2f
  bits.writeUInt32LE(16_382 | (16_382 << 14), 1)
  return riff('VP8L', bits)
}

/** A WebP that claims a size and content, but ends there. */
function makeEmptyWebp(side: number, { isAnimated }: { isAnimated: boolean }): Buffer {
  const head = Buffer.alloc(10)
  head[0] = isAnimated ? 0x02 : 0
  head.writeUIntLE(side - 1, 4, 3)
  head.writeUIntLE(side - 1, 7, 3)
  return riff('VP8X', head)
}

function riff(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(`WEBP${type}`), uint32(data.length).reverse(), data])
  return Buffer.concat([Buffer.from('RIFF'), uint32(body.length).reverse(), body])
}

export async function makeAnimatedWebp(frames: number): Promise<Buffer> {
  const side = 256
  const size = side * side * 3
  const data = Buffer.alloc(size * frames)
  const pattern = Uint8Array.from({ length: 256 }, (_, at) => at * 31)
  for (let frame = 0; frame < frames; frame++)
    data.fill(
      pattern.map((value) => value + frame * 90),
      frame * size,
      (frame + 1) * size,
    )
  return sharp(data, { raw: { width: side, height: side * frames, channels: 3, pageHeight: side } })
    .webp({ effort: 0, loop: 0, delay: Array.from({ length: frames }, () => 100) })
    .toBuffer()
}

function ftyp(major: string, ...compatible: readonly string[]): Buffer {
  const brands = Buffer.from([major, '\0\0\0\0', ...compatible].join(''), 'latin1')
  return Buffer.concat([uint32(brands.length + 8), Buffer.from('ftyp'), brands, Buffer.alloc(64)])
}

function flipBits(bytes: Buffer, from: number, every: number): Buffer {
  const flipped = Buffer.from(bytes)
  for (let at = from; at < flipped.length; at += every) flipped[at] = (flipped[at] ?? 0) ^ 0x55
  return flipped
}

/** The same JPEG with other sides in its header. */
function lieAboutSize(jpeg: Buffer, side: number): Buffer {
  const lying = Buffer.from(jpeg)
  const frame = lying.indexOf(Buffer.from([0xff, 0xc0]))
  lying.writeUInt16BE(side, frame + 5)
  lying.writeUInt16BE(side, frame + 7)
  return lying
}

/** The bytes of a number, the highest first. */
const uint16 = (value: number) => Buffer.from([value >>> 8, value])
const uint32 = (value: number) => Buffer.from([value >>> 24, value >>> 16, value >>> 8, value])

const turbulence = `<filter id="f">${'<feTurbulence numOctaves="99"/><feGaussianBlur stdDeviation="99"/>'.repeat(20)}</filter>`
const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9999" height="9999">${turbulence}<rect filter="url(#f)" width="9999" height="9999"/></svg>`
const xxe = `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/hostname">]>\n<svg xmlns="http://www.w3.org/2000/svg"><text>&x;</text></svg>`
const zeros = Buffer.alloc(50_000_000)

/** A file, and the expected message. */
type HostilePhoto = readonly [name: string, make: () => Buffer | Promise<Buffer>, says: RegExp]

const text = (content: string) => () => Buffer.from(content)
const bytes = (content: string) => () => Buffer.from(content, 'latin1')
const hex = (content: string) => () => Buffer.from(content, 'hex')
/** A PNG with a chunk that unpacks to 50 MB. */
const makeBomb = (type: string) => () =>
  insertChunks(makePng({ width: 300, height: 300 }, Buffer.alloc(270_300)), [
    pngChunk(type, Buffer.concat([Buffer.from('a\0\0'), pack(zeros)])),
  ])

const plain = { width: 400, height: 400, channels: 3, background: '#7a5' } as const
const unknown = /is not a picture of a kind/
const heic = /is a HEIC picture.*Save it as JPEG or PNG/
const damaged = /is damaged or cut off/
const blank = /shows nothing/
const blankOrDamaged = /shows nothing|is damaged/

export const hostilePhotos: readonly HostilePhoto[] = [
  ['nothing', text(''), /is empty/],
  ['one byte', hex('ff'), unknown],
  ['text', text('Dear all,\nthis is not a picture — né?\n'), /is text/],
  ['a web page', text('\n<!DOCTYPE html><html><body><svg/></body></html>'), /is a web page/],
  ['random bytes', hex('00c0ffee00badc0de000'), unknown],
  ['SVG with turbulence', text(svg), /is an SVG drawing.*Save it as JPEG or PNG/],
  ['SVG with an external entity', text(xxe), /is an SVG drawing/],
  ['SVG packed with gzip', () => gzipSync(svg), /is a compressed file/],
  ['a ZIP archive', bytes('PK\x03\x04\x14\0\0\0'), /is a compressed file/],
  ['GIF', bytes('GIF89a\x01\0\x01\0\x80\0\0'), /is a GIF picture.*Save it as JPEG or PNG/],
  ['TIFF', async () => (await drawPhoto(300, 300)).tiff().toBuffer(), /is a TIFF picture/],
  ['BMP', bytes('BM\x46\0\0\0\0\0\0\0\x36\0\0\0'), /is a BMP picture/],
  ['text that begins like a BMP', text('BMW drivers have dogs, too'), /is text/],
  ['PDF', bytes('%PDF-1.7\n%\xe2\xe3\xcf\xd3'), /is a PDF document/],
  ['HEIC', () => ftyp('heic', 'mif1', 'heic'), heic],
  ['HEIF of another brand', () => ftyp('mif1', 'mif1', 'hevc'), heic],
  ['AVIF', () => ftyp('avif', 'mif1', 'miaf'), /is an AVIF picture/],
  ['AVIF under a common brand', () => ftyp('mif1', 'avif', 'miaf'), /is an AVIF picture/],
  ['MP4', () => ftyp('isom', 'iso2', 'avc1'), /is a video/],
  ['a cut off box', bytes('\0\0\0\x20ftyp'), /is a video/],
  ['WebM', hex('1a45dfa39f4286810142f7'), /is a video/],
  ['AVI', bytes('RIFF\x10\0\0\0AVI LIST'), /is a video/],
  ['JPEG 2000', bytes('\0\0\0\x0cjP  \r\n\x87\n'), /is a JPEG 2000 picture/],
  ['JPEG XL', hex('ff0a0000'), /is a JPEG XL picture/],
  ['a Photoshop file', bytes('8BPS\0\x01'), /is a Photoshop file/],

  ['WebP of 34 bytes and 268 million pixels', makeHugeWebp, /is 16383 × 16383 pixels, 268.5 million in total; at most/],
  ...[false, true].flatMap((isAnimated): HostilePhoto[] => [
    [
      `${isAnimated ? 'animated' : 'still'} WebP without frames of 281 million million pixels`,
      () => makeEmptyWebp(2 ** 24, { isAnimated }),
      /is 16777216 × 16777216 pixels, .* at most 40 million/,
    ],
    [`${isAnimated ? 'animated' : 'still'} WebP without frames`, () => makeEmptyWebp(300, { isAnimated }), damaged],
  ]),
  ['PNG of 50000 pixels per side', () => makeHead(50_000, 50_000), /is 50000 × 50000 pixels, 2500 million/],
  ['PNG with fewer pixels than it claims', () => makeHead(0xffffffff, 0xffffffff), damaged],
  ['PNG without pixels', () => makeHead(0, 0), damaged],
  ['PNG whose data are 50 MB of zeros', () => makePng({ width: 300, height: 300 }, zeros), blankOrDamaged],
  ['PNG with 50 MB of text', makeBomb('zTXt'), blankOrDamaged],
  ['PNG with a color profile of 50 MB', makeBomb('iCCP'), blankOrDamaged],
  ['JPEG in 200 scans', () => makeManyScans(200), /is a JPEG in 2\d\d scans; at most 64/],
  ['animated WebP', () => makeAnimatedWebp(3), /is an animated WebP; only a single picture/],
  [
    'animated PNG',
    async () => insertChunks(await drawPng(300, 300), [pngChunk('acTL', Buffer.from('0000000200000000', 'hex'))]),
    /is an animated PNG; only a single picture/,
  ],

  ...[0.02, 0.5, 0.99].flatMap((part): HostilePhoto[] => [
    [`JPEG cut at ${part}`, async () => cut(await drawJpeg(600, 400), part), damaged],
    [`PNG cut at ${part}`, async () => cut(await drawPng(600, 400), part), damaged],
    [`WebP cut at ${part}`, async () => cut(await (await drawPhoto(600, 400)).webp().toBuffer(), part), damaged],
  ]),
  ['only the first bytes of a JPEG', hex('ffd8ff'), damaged],
  ['only the first bytes of a PNG', bytes('\x89PNG\r\n\x1a\n'), damaged],
  ['only the first bytes of a WebP', bytes('RIFF\0\0\0\0WEBP'), damaged],
  ['JPEG with flipped bits', async () => flipBits(await drawJpeg(600, 400), 700, 97), damaged],
  ['PNG with flipped bits', async () => flipBits(await drawPng(600, 400), 100, 97), damaged],
  ['JPEG that claims a larger size', async () => lieAboutSize(await drawJpeg(600, 400), 6000), damaged],
  ['JPEG of the largest size', async () => lieAboutSize(await drawJpeg(600, 400), 65_500), /is 65500 × 65500 pixels/],
  [
    'PNG of 6000 pixels per side, all black, in a small file',
    () => makePng({ width: 6000, height: 6000, color: 0 }, Buffer.alloc(6001 * 6000)),
    blank,
  ],
  [
    'JPEG of fifty thousand comments',
    async () =>
      insertSegments(
        await drawJpeg(64, 64),
        Array.from({ length: 50_000 }, () => [0xfe, Buffer.alloc(1)] as const),
      ),
    /is 64 × 64 pixels/,
  ],

  ['a picture of one pixel', () => drawPng(1, 1), /is 1 × 1 pixels; its shorter side must have at least 256/],
  ['a shorter side of 255', () => drawJpeg(400, 255), /is 400 × 255 pixels; its shorter side must have at least 256/],
  ['over four times as wide', () => drawPng(1027, 256), /is 1027 × 256 pixels; its longer side may be at most 4/],
  ['over four times as high', () => drawPng(256, 1027), /is 256 × 1027 pixels; its longer side may be at most 4/],
  ['a row over 40 million pixels', () => makeHead(8000, 5001, 0), /is 8000 × 5001 pixels, 40.1 million in total/],
  ['one color', () => sharp({ create: plain }).jpeg().toBuffer(), blank],
  ['transparent throughout', () => makePng({ width: 300, height: 300, color: 6 }, transparentRows(300)), blank],
]

/** A PNG of few bytes that claims a size. */
export function makeHead(width: number, height: number, color = 2): Buffer {
  return makePng({ width, height, color }, Buffer.alloc(9))
}

function cut(bytes: Buffer, part: number): Buffer {
  return bytes.subarray(0, Math.floor(bytes.length * part))
}

/** Rows of many colors that are fully transparent. */
function transparentRows(side: number): Buffer {
  const rows = patternRows(side, side * 4)
  for (let y = 0; y < side; y++) for (let x = 0; x < side; x++) rows[y * (side * 4 + 1) + 4 + x * 4] = 0
  return rows
}
