/** Detects the type of a file by its first bytes; its name and declared type prove nothing. */

export type PhotoKind = 'jpeg' | 'png' | 'webp'

const saveAs = 'Save it as JPEG or PNG.'

/**
 * Detects the kind of a file, or returns a refusal: the rest of a sentence that begins with the field. Reads at most the first
 * kilobyte.
 */
export function sniffKind(bytes: Uint8Array): { readonly kind: PhotoKind } | { readonly refusal: string } {
  const head: FileHead = {
    bytes,
    text: Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1024)).toString('latin1'),
  }
  const kind = accepted.find(([, looksLikeIt]) => looksLikeIt(head))?.[0]
  if (kind !== undefined) return { kind }
  const [what, , advice] = refused.find(([, looksLikeIt]) => looksLikeIt(head)) ?? unknown
  return { refusal: `${what}. ${advice ?? saveAs}` }
}

interface FileHead {
  readonly bytes: Uint8Array
  /** The first kilobyte, one character per byte. */
  readonly text: string
}

type Test = (head: FileHead) => boolean

const starts =
  (...signatures: readonly string[]): Test =>
  ({ text }) =>
    signatures.some((signature) => text.startsWith(signature))

const matches =
  (pattern: RegExp): Test =>
  ({ text }) =>
    pattern.test(text)

/** Matches ISO media files with at least one of `brands`. */
const hasBrand =
  (...brands: readonly string[]): Test =>
  (head) =>
    readBrands(head).some((brand) => brands.includes(brand))

/** The major and the compatible brands; the minor version between them is skipped. */
function readBrands({ bytes, text }: FileHead): string[] {
  if (text.slice(4, 8) !== 'ftyp') return []
  const declared = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0)
  const box = text.slice(8, Math.max(12, Math.min(declared, 256)))
  return (box.match(/.{4}/gs) ?? []).filter((_, index) => index !== 1)
}

/** @NOTE contract: formats are not shown; we accept those that every camera app and browser can write. */
const accepted: readonly (readonly [PhotoKind, Test])[] = [
  ['jpeg', starts('\xff\xd8\xff')],
  ['png', starts('\x89PNG\r\n\x1a\n')],
  ['webp', matches(/^RIFF.{4}WEBP/s)],
]

const isOtherVideo: Test = (head) =>
  starts('\x1a\x45\xdf\xa3', 'FLV\x01', '\0\0\x01\xb3', '\0\0\x01\xba', 'OggS')(head) || matches(/^RIFF.{4}AVI /s)(head)

/** The first matching row applies. */
const refused: readonly (readonly [what: string, looksLikeIt: Test, advice?: string])[] = [
  ['is empty', ({ bytes }) => bytes.length === 0, 'Send a photo as JPEG, PNG or WebP.'],
  ['is an AVIF picture, which is not accepted', hasBrand('avif', 'avis')],
  [
    'is a HEIC picture, as iPhones take them, which is not accepted',
    hasBrand('heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'hevm', 'hevs', 'mif1', 'msf1'),
  ],
  ['is a JPEG 2000 picture, which is not accepted', starts('\0\0\0\x0cjP  ', '\xff\x4f\xff\x51')],
  ['is a JPEG XL picture, which is not accepted', starts('\0\0\0\x0cJXL ', '\xff\x0a')],
  ['is a GIF picture, which is not accepted', starts('GIF8')],
  ['is a TIFF picture or a raw file of a camera, which is not accepted', starts('II*\0', 'MM\0*', 'II+\0', 'MM\0+')],
  ['is a BMP picture, which is not accepted', ({ text }) => text.startsWith('BM') && text.slice(6, 10) === '\0\0\0\0'],
  ['is a Photoshop file, which is not accepted', starts('8BPS')],
  [
    'is a web page, not a picture',
    matches(/^(\xef\xbb\xbf)?\s*<(!doctype html|html|head|body|script)/i),
    'Give the picture itself, as JPEG, PNG or WebP.',
  ],
  ['is an SVG drawing, which is not accepted', matches(/^(\xef\xbb\xbf)?\s*(<.*)?<svg[\s>]/is)],
  [
    'is a video, not a picture',
    (head) => head.text.slice(4, 8) === 'ftyp' || isOtherVideo(head),
    'Send a photo as JPEG, PNG or WebP.',
  ],
  ['is a PDF document, not a picture', matches(/^\s*%PDF-/)],
  [
    'is a compressed file, not a picture',
    starts('PK\x03\x04', '\x1f\x8b', '7z\xbc\xaf', 'Rar!'),
    'Send the picture itself, as JPEG, PNG or WebP.',
  ],
  ['is text, not a picture', matches(/^[\t\n\f\r\x20-\x7e\x80-\xf4]+$/), 'Send a photo as JPEG, PNG or WebP.'],
]
const unknown = ['is not a picture of a kind that is accepted', () => true, saveAs] as const
