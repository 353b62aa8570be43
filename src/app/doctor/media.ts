import { type CheckResult, note, ok, problem, reasonIn } from './check-result.js'

const reinstall =
  'Install svc again on this machine: npm ci (or npm install), without --ignore-scripts and --omit=optional.'

/** Checks that pictures can be drawn and encoded in each output format, and that there are fonts. */
export async function checkPictures(): Promise<CheckResult> {
  try {
    const { default: sharp } = await import('sharp')
    const draw = (content: string) =>
      sharp(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64">${content}</svg>`))
    const isDrawn = async (content: string) => (await draw(content).stats()).channels.some(({ max }) => max > 0)
    if (!(await isDrawn('<circle cx="32" cy="32" r="20" fill="#fff"/>'))) throw new Error('SVG is not drawn')
    for (const format of ['png', 'jpeg', 'webp'] as const) {
      const bytes = await draw('<rect width="64" height="64" fill="#888"/>').toFormat(format).toBuffer()
      await sharp(bytes).stats()
    }
    const hasFonts = await isDrawn('<text x="8" y="48" font-size="40" fill="#fff">svc</text>')
    const made = `sharp ${sharp.versions.sharp} draws, and writes PNG, JPEG and WebP`
    return hasFonts ? ok('pictures', made) : note('pictures', `${made}. There are no fonts; no picture needs one.`)
  } catch (error) {
    return problem('pictures', `Pictures cannot be drawn: ${reasonIn(error)}.`, reinstall)
  }
}

/** Checks that MP4 clips can be encoded. */
export async function checkClips(): Promise<CheckResult> {
  try {
    const { createH264MP4Encoder } = await import('h264-mp4-encoder')
    const encoder = await createH264MP4Encoder()
    try {
      Object.assign(encoder, { width: 32, height: 32, frameRate: 12 })
      encoder.initialize()
      encoder.addFrameRgba(new Uint8Array(32 * 32 * 4))
      encoder.finalize()
      if (encoder.FS.readFile(encoder.outputFilename).length === 0) throw new Error('the file is empty')
    } finally {
      encoder.delete()
    }
    return ok('clips', 'the encoder writes MP4 (H.264)')
  } catch (error) {
    return problem('clips', `MP4 clips cannot be made: ${reasonIn(error)}.`, reinstall)
  }
}
